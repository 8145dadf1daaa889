import { BadRequestException } from '@nestjs/common';

/**
 * The data of a body of the Management API, as it stands: what members may be called is known to `toInstance`, whatever
 * format they come in.
 * @throws BadRequestException
 */
export function parseJsonBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    throw new BadRequestException('The body is not valid JSON.');
  }
}

/** Some clients on Windows begin a text with a byte order mark. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}
