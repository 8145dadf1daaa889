import { gunzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageFile } from './page-files';

/** A file whose name has the hash of its content never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Sends a file of the page, compressed where the client takes that. */
export function sendPageFile(file: PageFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.type(file.type).header('cache-control', FOR_EVER).header('vary', 'accept-encoding');
  const accepted = request.headers['accept-encoding'] ?? '';
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted))
    return reply.send(gunzipSync(file.gzipped));
  return reply.header('content-encoding', 'gzip').send(file.gzipped);
}
