import { problem } from './problem';

class InvalidUrlError extends problem(
  400,
  'invalid_url',
  'The path is not valid: a percent sign must be followed by the two hex digits of a UTF-8 byte.',
) {}

class UrlTooLongError extends problem(414, 'uri_too_long', 'A part of the path is too long.') {}

/** What Fastify's router refuses before there is a route, in words that do not repeat the whole path. */
export function refusedByRouter(error: Error & { readonly code?: string }): Error {
  if (error.code === 'FST_ERR_BAD_URL') return new InvalidUrlError();
  return error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? new UrlTooLongError() : error;
}
