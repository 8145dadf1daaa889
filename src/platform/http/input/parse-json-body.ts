import { BadRequestException } from '@nestjs/common';
import { jsonMistake } from './json-mistake';

/**
 * The data of a body of the Management API, as it stands: what members may be called is known to `toInstance`, whatever
 * format they come in.
 * @throws BadRequestException
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = textOf(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequestException(jsonMistake(text));
  }
}

/** Some clients on Windows begin a text with a byte order mark. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}
