import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { aToken } from '../support/a-token';
import { type ApiClient, anApiClient } from '../support/api-client';
import { buildService } from '../support/built-service';
import { type Ended, runToEnd } from '../support/run-to-end';
import { sendTracks } from '../support/send-events';
import { startTestService, type TestService } from '../support/test-service';

const CDP = join(__dirname, '../../dist/cli/cdp.js');
/** What `sendTracks` sends has no coupon. */
const COUPON = { required: ['properties'], properties: { properties: { required: ['coupon'] } } };
const RULE = { type: 'track', event: 'Order Completed', schema: COUPON, onViolation: 'block' };

describe('cdp plan, of tracking plans', () => {
  let service: TestService;
  let api: ApiClient;
  let reader: string;
  let writer: string;

  beforeAll(async () => {
    buildService();
    service = await startTestService({ env: { CDP_ROLES: 'management,events' } });
    api = await anApiClient(service);
    [reader, writer] = await Promise.all([aToken(service, ['cdp:read']), aToken(service, ['cdp:write'])]);
    const { writeKey } = (await api.post('/sources', { name: 'Web' })).body;
    expect((await api.put('/config', documentOf([]))).status).toBe(200);
    expect(await sendTracks({ url: service.url, writeKey }, ['m-1', 'm-2', 'm-3'])).toBe(200);
  });
  afterAll(() => service.close());

  const cdp = (args: string[], { input = '', token = writer } = {}): Promise<Ended> =>
    runToEnd(CDP, args, { input, env: { CDP_URL: service.url, CDP_TOKEN: token } });

  it('says what a change would have done to the stored events of the sources that have the plan', async () => {
    const plan = await cdp(['plan', '-'], { input: stringify(documentOf([RULE])) });
    expect(plan).toMatchObject({ code: 2, errors: '' });
    expect(plan.output).toMatch(
      /1 change planned\.\n\nTracking plan "Shop" on the last 3 stored events of source "Web"/,
    );
    expect(plan.output).toContain('  3 would be rejected\n  - 3 events (block 3): track Order Completed, ');
    expect(plan.output).toMatch(/such as \S+ messageId m-3 \(event \S+\): block/);
    expect(plan.output).toContain('    rules[track Order Completed]: (none) -> {');
  });

  it('says which plans it did not try, as no source that exists is to have them', async () => {
    const input = stringify({ version: 1, trackingPlans: [{ name: 'Not yet', rules: [] }] });
    const { output } = await cdp(['plan', '-'], { input });
    expect(output).toContain('Tracking plan "Not yet" was not tried: no source that exists is to have it.');
  });

  it('says which plans are of no source, also when they do not change', async () => {
    const loose = { name: `Loose ${randomUUID()}`, rules: [] };
    const hint = `Hint: no source has the tracking plan "${loose.name}".`;
    const planOf = async (document: object, ...args: string[]): Promise<string> =>
      (await cdp(['plan', '-', ...args], { input: stringify({ version: 1, ...document }) })).output;
    expect(await planOf({ trackingPlans: [loose] }, '--last', '0')).toContain(hint);
    const { body } = await api.post('/tracking-plans', loose);
    expect(await planOf({ trackingPlans: [loose] })).toMatch(new RegExp(`^Nothing changes\\.\\n\\n${hint}`));
    const planned = { name: `Planned ${loose.name}`, trackingPlan: loose.name };
    expect(await planOf({ trackingPlans: [loose], sources: [planned] })).not.toContain('Hint');
    await api.post('/sources', { name: planned.name, trackingPlanId: body.id });
    expect(await planOf({ trackingPlans: [loose] })).not.toContain('Hint');
    expect(await planOf({ trackingPlans: [loose], sources: [{ name: 'Web' }] }, '--prune')).toContain(hint);
  });

  it('tries nothing when no plan changes, or with --last 0', async () => {
    expect(await cdp(['plan', '-'], { input: stringify(documentOf([])) })).toMatchObject({
      code: 0,
      output: 'Nothing changes.\n',
    });
    const { output } = await cdp(['plan', '-', '--last', '0'], { input: stringify(documentOf([RULE])) });
    expect(output).not.toContain('stored event');
  });

  it.each([
    ['block', 3],
    ['omit', 3],
    [undefined, 2],
  ])('exits for CI, with --fail-on %s, with %i', async (action, code) => {
    const failOn = action === undefined ? [] : ['--fail-on', action];
    const input = stringify(documentOf([RULE]));
    expect(await cdp(['plan', '-', ...failOn], { input })).toMatchObject({ code });
    const observed = stringify(documentOf([{ ...RULE, onViolation: 'observe' }]));
    expect(await cdp(['plan', '-', ...failOn], { input: observed })).toMatchObject({ code: 2 });
  });

  it('tries one plan alone with a token that may only read, and answers JSON', async () => {
    const input = JSON.stringify({ name: 'Shop', rules: [RULE] });
    const alone = await cdp(['plan', '-', '--json', '--last', '2'], { input, token: reader });
    expect(alone).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(alone.output)).toMatchObject({
      changes: [],
      trials: [
        {
          plan: 'Shop',
          source: { name: 'Web' },
          preview: { events: 2, outcomes: { block: 2 }, violations: [{ events: 2, outcomes: { block: 2 } }] },
        },
      ],
    });
    const failing = await cdp(['plan', '-', '--source', 'Web', '--fail-on', 'block'], {
      input,
      token: reader,
    });
    expect(failing).toMatchObject({ code: 3 });
  });

  it('says what is wrong with the plan, or with what was asked', async () => {
    const input = stringify({ name: 'Shop', rules: [{ ...RULE, schema: { tpye: 'x' } }] });
    const wrong = await cdp(['plan', '-'], { input, token: reader });
    expect(wrong).toMatchObject({ code: 1, output: '' });
    expect(wrong.errors).toContain('plan.rules[0].schema.tpye: Is no keyword');
    const document = stringify(documentOf([RULE]));
    for (const [args, reason] of [
      [['--source', 'Nowhere'], 'there is no source "Nowhere"'],
      [['--plan', 'Nothing'], 'there are the tracking plans "Shop"'],
      [['--fail-on', 'pass'], '--fail-on: pass is none of observe, omit, quarantine, block.\n'],
      [['--last', 'all'], '--last: all is no number of events.\n'],
      [['--prune=yes'], "Option '--prune' does not take an argument\n"],
    ] as const) {
      const { code, errors } = await cdp(['plan', '-', ...args], { input: document });
      expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(reason) });
      expect(errors.trim().split('\n')).toHaveLength(1);
    }
  });

  function documentOf(rules: readonly object[]): object {
    return {
      version: 1,
      trackingPlans: [{ name: 'Shop', rules }],
      sources: [{ name: 'Web', trackingPlan: 'Shop' }],
    };
  }
});
