import { SetMetadata } from '@nestjs/common';

export const ANSWERS_ABOUT_PEOPLE = 'answersAboutPeople';

/** The answer of this operation is not kept for an `Idempotency-Key`, or it would outlive the people's erasure. */
export const AnswersAboutPeople = (): MethodDecorator => SetMetadata(ANSWERS_ABOUT_PEOPLE, true);
