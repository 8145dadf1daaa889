// @ts-check
// npm run bench -- hostile-plans: the worst tracking plans and events that can be written, each refused, or judged at a
// cost that is told as a multiple of what JSON.parse takes for the event.
import { checkEvent } from '#dist/tracking-plans/language/check-event';
import { compilePlan } from '#dist/tracking-plans/language/compile-plan';
import { parsePlan } from '#dist/tracking-plans/language/parse-plan';

const EVENT_BYTES = 32_768;
const FORMATS = [
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'email',
].concat(['hostname', 'ipv4', 'ipv6', 'uuid', 'regex', 'json-pointer', 'relative-json-pointer']);

export async function run() {
  const rows = {};
  for (const [name, schema, properties, onViolation = 'omit'] of cases()) {
    const rules = [{ type: 'track', event: 'x', schema: ofProperties(schema), onViolation }];
    const readAt = performance.now();
    const parsed = await parsePlan({ rules, unplannedProperties: 'omit' });
    const readMs = performance.now() - readAt;
    const text = JSON.stringify({ type: 'track', event: 'x', properties });
    if (!parsed.ok) {
      rows[name] = { read: ms(readMs), judged: `refused: ${parsed.errors[0].code}` };
      continue;
    }
    const plan = compilePlan(parsed.content);
    const event = JSON.parse(text);
    const { outcome, violations } = checkEvent(plan, event);
    const judgedMs = fastest(() => checkEvent(plan, event));
    const parseMs = fastest(() => JSON.parse(text));
    rows[name] = {
      read: ms(readMs),
      bytes: text.length,
      outcome: `${outcome} ${violations.length}`,
      judged: ms(judgedMs),
      'of JSON.parse': Math.round(judgedMs / parseMs),
    };
  }
  console.table(rows);
}

/** Name, schema of `properties`, and the worst properties for it. */
function* cases() {
  const longText = `${'a'.repeat(EVENT_BYTES - 100)}!`;
  for (const pattern of [
    '(a+)+$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '([a-zA-Z]+)*$',
    '(?:a?){100}a{100}$',
    '(.*){30}x',
  ]) {
    yield [`pattern ${pattern}`, { properties: { a: { pattern } } }, { a: longText }];
  }
  for (const format of FORMATS) {
    const texts = ['a', '1', ':', 'a-', 'a.', '{a', '::1', '%20', '/a', '[', '1:', 'P1', 'a@'];
    const all = Object.fromEntries(
      texts.map((text, index) => [`k${index}`, text.repeat(2_048 / text.length)]),
    );
    yield [`format ${format}`, { additionalProperties: { format } }, all];
  }
  yield ['format, 32 KB of text', { additionalProperties: { format: 'email' } }, { a: longText }];
  const objects = Array.from({ length: 3_000 }, (_, index) => ({ a: index }));
  yield ['uniqueItems, objects', { properties: { a: { uniqueItems: true } } }, { a: objects }];
  const units = Array.from({ length: 16_000 }, (_, index) => index % 10);
  yield ['200 checks of each of 16,000', list(each(99, { type: 'number' })), { a: units }];
  yield ['the same, all wrong', list(each(99, { type: 'string' })), { a: units }];
  yield ['the same, the last one wrong', list(each(99, { type: 'number' })), { a: [...units, 'x'] }];
  yield ['contains nothing', list(each(99, { type: 'string' }), 'contains'), { a: units }];
  yield ['1,900 checks of a text', { properties: { a: each(900, { minLength: 1 }) } }, { a: longText }];
  const keys = Object.fromEntries(Array.from({ length: 3_500 }, (_, index) => [`k${index}`, 1]));
  const patterns = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`^z${index}`, true]));
  yield ['patterns of each member', { patternProperties: patterns, additionalProperties: false }, keys];
  const branches = Array.from({ length: 90 }, () => ({ additionalProperties: { type: 'number' } }));
  yield ['unevaluatedProperties', { anyOf: branches, unevaluatedProperties: false }, keys];
  yield ['oneOf, all match', { oneOf: branches }, keys];
  yield ['unplanned properties', { properties: { a: true } }, keys];
  yield ['unplanned properties, quarantined', { properties: { a: true } }, keys, 'quarantine'];
  yield ['a circle', { properties: { a: { $ref: '#' } } }, {}];
  yield ['doubling references', doubling(30), {}];
  yield ['deep', nested(100), {}];
  yield ['wide', { allOf: Array.from({ length: 3_000 }, () => ({})) }, {}];
}

function ofProperties({ $defs, ...schema }) {
  return { ...($defs && { $defs }), properties: { properties: schema } };
}

function list(schema, keyword = 'items') {
  return { properties: { a: { [keyword]: schema } } };
}

function each(count, schema) {
  return { allOf: Array.from({ length: count }, () => schema) };
}

function nested(levels) {
  return levels === 0 ? {} : { not: nested(levels - 1) };
}

function doubling(steps) {
  const twice = (index) => ({
    allOf: [{ $ref: `#/$defs/s${index + 1}` }, { $ref: `#/$defs/s${index + 1}` }],
  });
  const $defs = Object.fromEntries(Array.from({ length: steps }, (_, index) => [`s${index}`, twice(index)]));
  return { $ref: '#/$defs/s0', $defs: { ...$defs, [`s${steps}`]: {} } };
}

function fastest(work) {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

function ms(value) {
  return `${value.toFixed(value < 1 ? 3 : 1)} ms`;
}
