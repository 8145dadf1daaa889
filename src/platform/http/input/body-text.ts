import { isUtf8 } from 'node:buffer';
import { BadRequestException } from '@nestjs/common';

/**
 * The text of a body of the Management API, without the byte order mark that some clients on Windows begin one with.
 * What is not UTF-8 is refused: a character of a password that is replaced makes another password.
 * @throws BadRequestException
 */
export function bodyText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new BadRequestException('The body is not UTF-8.');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}
