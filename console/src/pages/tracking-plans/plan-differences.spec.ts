import { type PlanText, planDifferences } from './plan-differences';

const PLAN: PlanText = {
  name: 'Shop',
  description: '',
  version: 1,
  createdAt: '2026-11-20T12:00:00.000Z',
  unplannedEvents: 'observe',
  unplannedProperties: 'allow',
  rules: [
    {
      type: 'track',
      event: 'Paid',
      onViolation: 'observe',
      schema: {
        properties: {
          properties: {
            required: ['total'],
            properties: {
              total: { type: 'number' },
              products: { type: 'array', items: { properties: { price: { minimum: 0 } } } },
            },
          },
        },
      },
    },
    { type: 'page', onViolation: 'block', schema: {} },
  ],
};

const changed = (text: string, replacement: string): PlanText =>
  JSON.parse(JSON.stringify(PLAN).replace(text, replacement)) as PlanText;

describe('what is different between two versions of a plan', () => {
  it('is nothing when they say the same, in whatever order', () => {
    const { rules, ...rest } = PLAN;
    expect(planDifferences(PLAN, { rules: rules.toReversed(), ...rest, version: 2 })).toEqual([]);
    const turned = changed('"type":"number"', '"maximum":9,"type":"number"');
    const other = changed('"type":"number"', '"type":"number","maximum":9');
    expect(planDifferences(turned, other)).toEqual([]);
  });

  it.each([
    ['"name":"Shop"', '"name":"Store"', undefined, '', 'name', 'Shop', 'Store'],
    [
      '"unplannedEvents":"observe"',
      '"unplannedEvents":"block"',
      undefined,
      '',
      'unplannedEvents',
      'observe',
      'block',
    ],
    ['"onViolation":"observe"', '"onViolation":"omit"', 'track Paid', '', 'onViolation', 'observe', 'omit'],
    [
      '["total"]',
      '["total","currency"]',
      'track Paid',
      'properties',
      'required',
      ['total'],
      ['total', 'currency'],
    ],
    ['"type":"number"', '"type":"string"', 'track Paid', 'properties.total', 'type', 'number', 'string'],
    ['"minimum":0', '"minimum":1', 'track Paid', 'properties.products[].price', 'minimum', 0, 1],
    [
      '{"minimum":0}',
      'false',
      'track Paid',
      'properties.products[].price',
      'the member',
      { minimum: 0 },
      false,
    ],
    [
      ',"items":{"properties":{"price":{"minimum":0}}}',
      '',
      'track Paid',
      'properties.products',
      'items',
      { properties: { price: { minimum: 0 } } },
      undefined,
    ],
    [
      '"type":"page"',
      '"type":"page","unplannedProperties":"omit"',
      'page',
      '',
      'unplannedProperties',
      undefined,
      'omit',
    ],
  ])('is told by its rule and member: %s to %s', (text, replacement, rule, member, what, before, after) => {
    expect(planDifferences(PLAN, changed(text, replacement))).toEqual([
      { rule, member, what, before, after },
    ]);
  });

  it('is a member that is there in one of them', () => {
    const after = changed('"total":{', '"currency":{"minLength":3},"total":{');
    const difference = { rule: 'track Paid', member: 'properties.currency', what: 'the member' };
    expect(planDifferences(PLAN, after)).toEqual([
      { ...difference, before: undefined, after: { minLength: 3 } },
    ]);
    expect(planDifferences(after, PLAN)).toEqual([
      { ...difference, before: { minLength: 3 }, after: undefined },
    ]);
  });

  it('is a rule that is there in one of them', () => {
    const [paid, page] = PLAN.rules;
    const after = { ...PLAN, rules: [paid, { ...page, event: 'Home' }] };
    expect(planDifferences(PLAN, after)).toEqual([
      { rule: 'page', member: '', what: 'the rule', before: page, after: undefined },
      {
        rule: 'page Home',
        member: '',
        what: 'the rule',
        before: undefined,
        after: { ...page, event: 'Home' },
      },
    ]);
  });
});
