import { BadRequestException } from '@nestjs/common';
import { bodyText } from './body-text';
import { jsonMistake } from './json-mistake';

/**
 * The data of a body of the Management API, as it stands: what members may be called is known to `toInstance`, whatever
 * format they come in.
 * @throws BadRequestException
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = bodyText(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequestException(jsonMistake(text));
  }
}
