import { UnsupportedMediaTypeException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/** A browser posts its form there, see `login/login-routes.ts`. */
const FORM_ROUTE = '/login';

/** Fastify would read these. An error about the media type helps callers more than one about each member. */
const OTHER_FORMATS = /^(?:application\/x-www-form-urlencoded|text\/plain)\b/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
const UTF8 = /^(?:utf-?8|us-ascii)$/i;

/**
 * Answers 415 to forms and to texts that are not in UTF-8, before they are read. The Events API has relabelled its own.
 */
export function refuseOtherMediaTypes(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    const contentType = request.headers['content-type'] ?? '';
    const isForm = request.routeOptions.url === FORM_ROUTE;
    done(request.is404 || isForm ? null : refusalOf(contentType), payload);
  });
}

function refusalOf(contentType: string): UnsupportedMediaTypeException | null {
  if (OTHER_FORMATS.test(contentType.trim())) {
    return new UnsupportedMediaTypeException('Send JSON, as application/json.');
  }
  const charset = CHARSET.exec(contentType)?.[1];
  if (charset === undefined || UTF8.test(charset)) return null;
  return new UnsupportedMediaTypeException(`Send UTF-8; the charset ${charset} is not read.`);
}
