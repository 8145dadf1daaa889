import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { InvalidRequestError, problem } from '../problems/problem';

/** The versions that a change may meet (`If-Match`); undefined is any. */
export type ExpectedVersions = ReadonlySet<string> | undefined;

/** Another caller has changed it since this caller read it. */
export class VersionMismatchError extends problem(
  412,
  'version_mismatch',
  'If-Match does not name the present version.',
) {
  constructor() {
    super('It was changed since you read it: If-Match does not name its present version.');
  }
}

/** Two changes met in the same moment; the other one was first. */
export class ChangedMeanwhileError extends problem(
  409,
  'changed_meanwhile',
  'Somebody else changed it in this moment.',
) {
  constructor() {
    super('Somebody else changed it in this moment. Read it again and repeat your change.');
  }
}

/** RFC 9110, section 8.8.3: a weak one (`W/"1"`) names no version. */
const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
const TAGS = new RegExp(`^\\s*${TAG.source}(?:\\s*,\\s*${TAG.source})*\\s*$`);
const NO_TAG = 'must be an `ETag` as it was answered, with its quotes, or *';

/** The `If-Match` header as a parameter of a controller method. @throws InvalidRequestError */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): ExpectedVersions => {
  const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  if (!TAGS.test(header))
    throw new InvalidRequestError([{ path: 'If-Match', code: 'invalid_etag', message: NO_TAG }]);
  return new Set(header.match(TAG)?.map((tag) => tag.replace(/^"(.*)"$/, '$1')));
});

/** Documents `If-Match`. */
export const ApiIfMatch = (): MethodDecorator =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'The `ETag` that the change is meant for; answers 412 when it is not the present one, and 400 when it is no `ETag`.',
  });

/** @throws VersionMismatchError */
export function demandVersion(expected: ExpectedVersions, present: number): void {
  if (expected !== undefined && !expected.has(String(present))) throw new VersionMismatchError();
}
