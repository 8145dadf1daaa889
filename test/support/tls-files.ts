import { readFileSync } from 'node:fs';
import type { ServerOptions } from 'node:https';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../fixtures/tls');

/** A file of test/fixtures/tls, such as `client-a.key`. */
export function tlsFile(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

export const PRIVATE_CA = tlsFile('private-ca.crt');
/** What a client shows that the private authority knows. */
export const CLIENT_A = { cert: tlsFile('client-a.crt'), key: tlsFile('client-a.key') };
export const CLIENT_B = { cert: tlsFile('client-b.crt'), key: tlsFile('client-b.key') };
/** Of a receiver whose certificate is one of the private authority, for `localhost` and `orders.example.test`. */
export const PRIVATE_RECEIVER: ServerOptions = {
  cert: tlsFile('receiver.crt'),
  key: tlsFile('receiver.key'),
};
/** Of one that lets in those alone whom the private authority knows. */
export const MUTUAL_RECEIVER: ServerOptions = {
  ...PRIVATE_RECEIVER,
  ca: PRIVATE_CA,
  requestCert: true,
  rejectUnauthorized: true,
};
