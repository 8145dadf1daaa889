import { Problem } from './problem';

class InvalidUrlError extends Problem {
  readonly status = 400;
  readonly code = 'invalid_url';

  constructor() {
    super('The path is not valid: a percent sign must be followed by the two hex digits of a UTF-8 byte.');
  }
}

class UrlTooLongError extends Problem {
  readonly status = 414;
  readonly code = 'uri_too_long';

  constructor() {
    super('A part of the path is too long.');
  }
}

/** What Fastify's router refuses before there is a route, in words that do not repeat the whole path. */
export function refusedByRouter(error: Error & { readonly code?: string }): Error {
  if (error.code === 'FST_ERR_BAD_URL') return new InvalidUrlError();
  return error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? new UrlTooLongError() : error;
}
