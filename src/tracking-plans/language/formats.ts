import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats';
import { MAX_FORMAT_CHARACTERS } from './limits';

/** Those of JSON Schema that ajv-formats has. */
const NAMES = [
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'regex',
  'json-pointer',
  'relative-json-pointer',
] as const;

/** The formats that a plan may ask for. A text that is too long is of none of them. */
export const FORMATS: Readonly<Record<string, Format>> = Object.fromEntries(
  NAMES.map((name) => [name, { type: 'string', validate: limited(testOf(name)) }]),
);

function limited(test: (text: string) => boolean): (text: string) => boolean {
  return (text) => text.length <= MAX_FORMAT_CHARACTERS && test(text);
}

function testOf(name: (typeof NAMES)[number]): (text: string) => boolean {
  const format = fullFormats[name];
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (check instanceof RegExp) return (text) => check.test(text);
  if (typeof check === 'function') return (text) => check(text as never) === true;
  throw new TypeError(`ajv-formats has no test for ${name}`);
}
