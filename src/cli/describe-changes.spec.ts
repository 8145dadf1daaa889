import { describeChanges } from './describe-changes';

const PAID = { type: 'track', event: 'Paid', schema: { required: ['userId'] }, onViolation: 'observe' };

function describeFields(...fields: { path: string; before: unknown; after: unknown }[]): string[] {
  const change = {
    action: 'update',
    kind: 'trackingPlan',
    name: 'Shop',
    fields,
    warnings: [],
    applied: false,
  };
  return describeChanges({ changes: [change] })
    .split('\n')
    .slice(1, -2);
}

describe('what a change changes', () => {
  it('is told member by member, however deep it is', () => {
    const before = { url: 'a', tls: { ca: 'x' } };
    expect(
      describeFields({ path: 'config', before, after: { ...before, tls: { ca: 'y', key: 1 } } }),
    ).toEqual(['    config.tls.ca: "x" -> "y"', '    config.tls.key: (none) -> 1']);
  });

  it('is told rule by rule of a tracking plan', () => {
    const after = [
      { ...PAID, onViolation: 'block' },
      { type: 'page', schema: {} },
    ];
    expect(describeFields({ path: 'rules', before: [PAID, { ...PAID, event: 'Gone' }], after })).toEqual([
      '    rules[track Paid].onViolation: "observe" -> "block"',
      `    rules[track Gone]: ${JSON.stringify({ ...PAID, event: 'Gone' })} -> (none)`,
      '    rules[page]: (none) -> {"type":"page","schema":{}}',
    ]);
  });

  it('is told by the places of objects that have no name', () => {
    const rule = (value: number): object => ({ field: 'seats', operator: 'gte', value });
    const isTold = (before: unknown[], after: unknown[]): string[] =>
      describeFields({ path: 'rules', before, after });
    const added = `    rules[1]: (none) -> ${JSON.stringify(rule(5))}`;
    expect(isTold([rule(1), rule(2)], [rule(1), rule(5), rule(2)])).toEqual([added]);
    expect(isTold([rule(1)], [rule(1), rule(5)])).toEqual([added]);
    expect(isTold([rule(5), rule(1)], [rule(1)])).toEqual([
      `    rules[0]: ${JSON.stringify(rule(5))} -> (none)`,
    ]);
    expect(isTold([rule(1), rule(2), rule(3)], [rule(1), rule(5), rule(3)])).toEqual([
      '    rules[1].value: 2 -> 5',
    ]);
    const group = (...rules: object[]): object => ({ match: 'any', rules });
    expect(isTold([group(rule(1))], [group(rule(1), rule(5))])).toEqual([
      `    rules[0].rules[1]: (none) -> ${JSON.stringify(rule(5))}`,
    ]);
  });

  it('is told whole where an object becomes a list', () => {
    expect(describeFields({ path: 'config', before: { of: {} }, after: { of: [] } })).toEqual([
      '    config.of: {} -> []',
    ]);
  });

  it('is told whole where parts have no name', () => {
    expect(describeFields({ path: 'sources', before: ['a'], after: [] })).toEqual([
      '    sources: ["a"] -> []',
    ]);
  });
});

it('says of each change whether it was applied, where some were not', () => {
  const of = (name: string, applied: boolean) => ({
    action: 'create',
    kind: 'source',
    name,
    fields: [],
    warnings: [],
    applied,
  });
  expect(describeChanges({ changes: [of('A', true), of('B', false)] }, 'applied')).toBe(
    '+ source "A" (applied)\n+ source "B" (not applied)\n1 of 2 changes applied.\n',
  );
  expect(describeChanges({ changes: [of('A', true)] }, 'applied')).toBe('+ source "A"\n1 change applied.\n');
});

it('tells no terminal what to do, whatever is in names', () => {
  const rule = { ...PAID, event: '\u001B[2J\n::error::' };
  const change = {
    action: 'create',
    kind: 'segment',
    name: 'A\r\u009B2J',
    fields: [],
    warnings: [],
    applied: false,
  };
  const lines = describeChanges({ changes: [change] }).split('\n');
  expect(lines).toEqual(['+ segment "A\\r\uFFFD2J"', '1 change planned.', '']);
  expect(describeFields({ path: 'rules', before: [], after: [rule] })[0]).toMatch(
    /^ {4}rules\[track \\u001b\[2J\\n::error::\]: /,
  );
});
