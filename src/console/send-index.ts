import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { PageFile } from './page-files';

/** What `console/vite.config.mjs` writes where the nonce of an answer belongs. */
const NONCE_PLACE = 'CSP_NONCE';

/** Sends the page. It is never cached, so that it always names the files of this version. */
export function sendIndex(index: PageFile, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .type(index.type)
    .header('cache-control', 'no-store')
    .header('content-security-policy', contentSecurityPolicy(nonce))
    .send(gunzipSync(index.gzipped).toString().replaceAll(NONCE_PLACE, nonce));
}

/**
 * Scripts are files of ours, without exception. The component library adds a few `<style>` elements, which carry the
 * nonce of the answer; styles in attributes, as only markup from outside would have, do not count.
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
