import type { JsonObject } from '../../events/customer-event';
import { toPlainSchema } from './plain-schema';

describe('toPlainSchema', () => {
  it.each<[string, JsonObject, boolean]>([
    ['refuses others beside members that it names', { properties: { a: {} } }, false],
    ['lets others be where it only asks for some, as the plan does', { required: ['a'] }, true],
    ['refuses them where the schema does', { required: ['a'], additionalProperties: false }, false],
    ['lets others be that a pattern names', { properties: { a: {} }, patternProperties: { x: {} } }, true],
  ])('%s', (_, schema, expected) => {
    const plain = toPlainSchema(schema, { root: schema, isClosed: true });
    expect(plain.additionalProperties).toBe(expected);
  });
});
