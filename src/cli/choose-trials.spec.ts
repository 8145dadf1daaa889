import { trialsOfDocument, trialsOfPlan } from './choose-trials';

const PRESENT = {
  sources: [
    { id: 's-1', name: 'Web', trackingPlanId: 'p-1' },
    { id: 's-2', name: 'App', trackingPlanId: 'p-1' },
    { id: 's-3', name: 'Till', trackingPlanId: null },
  ],
  trackingPlans: [{ id: 'p-1', name: 'Shop' }],
};
const SHOP = { name: 'Shop', rules: [] };
const TILL = { name: 'Till', rules: [] };

function changed(kind: string, name: string, path = 'rules') {
  const fields = [{ path, before: null, after: null }];
  return { changes: [{ action: 'update', kind, name, fields, warnings: [], applied: false }] };
}
const NONE = { changes: [] };

function chosen(trials: ReturnType<typeof trialsOfPlan>): [unknown, string][] {
  return trials.map(({ plan, source }) => [plan.name, source.name]);
}

describe('the trials of a document', () => {
  it('are of the plans that change, on the sources that have them', () => {
    const document = { trackingPlans: [SHOP, TILL] };
    const change = changed('trackingPlan', 'Shop');
    expect(chosen(trialsOfDocument(document, change, PRESENT, {}))).toEqual([
      ['Shop', 'Web'],
      ['Shop', 'App'],
    ]);
    expect(trialsOfDocument(document, NONE, PRESENT, {})).toEqual([]);
  });

  it('follow what the document gives its sources, and leave alone what it leaves out', () => {
    const sources = [
      { name: 'App' },
      { name: 'Till', trackingPlan: 'Shop' },
      { name: 'New', trackingPlan: 'Shop' },
    ];
    const document = { trackingPlans: [SHOP], sources };
    expect(chosen(trialsOfDocument(document, changed('trackingPlan', 'Shop'), PRESENT, {}))).toEqual([
      ['Shop', 'Web'],
      ['Shop', 'Till'],
    ]);
  });

  it('are of a source that gets another plan, and of none that changes in another way', () => {
    const document = { trackingPlans: [SHOP], sources: [{ name: 'Till', trackingPlan: 'Shop' }] };
    const of = (path: string) =>
      chosen(trialsOfDocument(document, changed('source', 'Till', path), PRESENT, {}));
    expect(of('trackingPlan')).toEqual([['Shop', 'Till']]);
    expect(of('description')).toEqual([]);
  });

  it('are what is asked for, whether it changes or not', () => {
    const document = { trackingPlans: [SHOP, TILL] };
    const ask = (asked: object) => chosen(trialsOfDocument(document, NONE, PRESENT, asked));
    expect(ask({ source: 'Web' })).toEqual([['Shop', 'Web']]);
    expect(ask({ source: 's-3', plan: 'Till' })).toEqual([['Till', 'Till']]);
    expect(ask({ plan: 'Shop' })).toEqual([
      ['Shop', 'Web'],
      ['Shop', 'App'],
    ]);
    const only = { trackingPlans: [TILL] };
    expect(chosen(trialsOfDocument(only, NONE, PRESENT, { source: 'Web' }))).toEqual([['Till', 'Web']]);
    expect(() => ask({ source: 'Till' })).toThrow('the tracking plans "Shop", "Till". Say which one.');
    expect(() => ask({ source: 'Nowhere' })).toThrow('there is no source "Nowhere"');
    expect(() => ask({ plan: 'Nothing' })).toThrow('--plan');
    expect(() => ask({ plan: 'Till' })).toThrow('No source has a plan of this name');
  });

  it('want an id where sources have one name', () => {
    const twins = {
      ...PRESENT,
      sources: [...PRESENT.sources, { id: 's-4', name: 'Web', trackingPlanId: null }],
    };
    expect(() => trialsOfPlan(SHOP, twins, { source: 'Web' })).toThrow(
      '2 sources are called "Web". Give an id.',
    );
    expect(chosen(trialsOfPlan(SHOP, twins, { source: 's-4' }))).toEqual([['Shop', 'Web']]);
  });
});

describe('the trials of a plan alone', () => {
  it('are on the sources that have a plan of its name, or on the one that is asked for', () => {
    expect(chosen(trialsOfPlan(SHOP, PRESENT, {}))).toEqual([
      ['Shop', 'Web'],
      ['Shop', 'App'],
    ]);
    expect(chosen(trialsOfPlan({ rules: [] }, PRESENT, { source: 'Till' }))).toEqual([[undefined, 'Till']]);
    expect(() => trialsOfPlan({ rules: [] }, PRESENT, {})).toThrow('with --source');
  });
});
