import { applyDecorators } from '@nestjs/common';
import { IsString, Length, Matches, type ValidationArguments, type ValidationOptions } from 'class-validator';

/** Characters that a text must not hold: controls other than tab and line ends, and halves of surrogate pairs. */
const UNFIT = String.raw`(?![\t\n\r])[\p{Cc}\p{Cs}]`;
const FIT_TEXT = new RegExp(`^(?:(?!${UNFIT}).)*$`, 'su');
const UNFIT_CHARACTERS = new RegExp(UNFIT, 'gu');

/**
 * A string of `min` to `max` characters that PostgreSQL can store and a terminal can show (no control characters
 * beside white space), and that is not only white space.
 */
export function IsText(min: number, max: number, options: ValidationOptions = {}): PropertyDecorator {
  const notBlank = Matches(/\S/, { ...options, message: '$property must not be blank' });
  return applyDecorators(
    IsString(options.each === true ? options : { message: notText, ...options }),
    Length(min, max, options),
    Matches(FIT_TEXT, { ...options, message: '$property must not hold control characters' }),
    ...(min > 0 ? [notBlank] : []),
  );
}

/** A text without the characters that {@link IsText} refuses. */
export function fitText(text: string): string {
  return text.replace(UNFIT_CHARACTERS, '');
}

/** Clients that write null for what is not there are told what to write. */
function notText({ property, value }: ValidationArguments): string {
  return value === null
    ? `${property} must be a string, not null: leave it out where there is none`
    : `${property} must be a string`;
}
