import { join } from 'node:path';
import { parse } from 'yaml';
import { type ApiClient, anApiClient } from '../support/api-client';
import { buildService } from '../support/built-service';
import { runToEnd } from '../support/run-to-end';
import { startTestService, type TestService } from '../support/test-service';

const CDP = join(__dirname, '../../dist/cli/cdp.js');
const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  definitions: { money: { type: 'number' } },
  properties: {
    properties: {
      required: ['total'],
      properties: { total: { $ref: '#/definitions/money' }, phone: { format: 'phone' } },
    },
  },
};
const SEGMENTS = {
  name: 'Kicks',
  rules: [{ type: 'TRACK', key: 'Order Completed', version: 1, jsonSchema: SCHEMA }],
};
const REFUSED = { rules: { events: [{ name: 'A', rules: { patternProperties: { '(?=a)': {} } } }] } };

describe('tracking plans of Segment and RudderStack', () => {
  let service: TestService;
  let api: ApiClient;
  let reader: ApiClient;

  beforeAll(async () => {
    buildService();
    service = await startTestService({ env: { CDP_AUTH_ANY_TOKEN: 'false', CDP_ROLES: 'management' } });
    [api, reader] = await Promise.all([anApiClient(service), anApiClient(service, ['cdp:read'])]);
  });
  afterAll(() => service.close());

  it('become plans that can be created, and are not created by that', async () => {
    const { status, body } = await reader.post('/tracking-plans/import', { document: SEGMENTS });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        plan: {
          name: 'Kicks',
          description: '',
          rules: [
            {
              type: 'track',
              event: 'Order Completed',
              onViolation: 'observe',
              schema: {
                $defs: SCHEMA.definitions,
                properties: {
                  properties: {
                    required: ['total'],
                    properties: { total: { $ref: '#/$defs/money' }, phone: {} },
                  },
                },
              },
            },
          ],
          unplannedEvents: 'observe',
          unplannedProperties: 'observe',
        },
        notes: [
          {
            path: 'document.rules[0].jsonSchema.properties.properties.properties.phone.format',
            message: 'The format "phone" is not checked.',
          },
        ],
      },
    });
    expect((await api.get('/tracking-plans')).body).toEqual([]);
    expect((await api.post('/tracking-plans', body.plan)).status).toBe(201);
  });

  it.each([
    [{ document: REFUSED }, 'document.rules.events[0].rules.patternProperties'],
    [{ document: {} }, 'document.rules'],
    [{ document: [] }, 'document'],
    [{}, 'document'],
  ])('that cannot be kept are refused with their place: %j', async (given, path) => {
    const { status, body } = await reader.post('/tracking-plans/import', given);
    expect({ status, path: body.errors?.[0]?.path }).toEqual({ status: 400, path });
  });

  it('become documents that cdp applies, where no service is known', async () => {
    const input = JSON.stringify({ ...SEGMENTS, name: 'From a file' });
    const { code, output, errors } = await runToEnd(CDP, ['import-plan', '-'], { input });
    expect({ code, errors }).toEqual({
      code: 0,
      errors:
        'rules[0].jsonSchema.properties.properties.properties.phone.format: The format "phone" is not checked.\n',
    });
    expect(parse(output)).toMatchObject({ version: 1, trackingPlans: [{ name: 'From a file' }] });
    expect((await api.put('/config', parse(output))).body).toMatchObject({
      changes: [{ action: 'create', kind: 'trackingPlan', name: 'From a file', applied: true }],
    });
    const refused = await runToEnd(CDP, ['import-plan', '-'], { input: JSON.stringify(REFUSED) });
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toContain('- cannot be imported:\n  rules.events[0].rules.patternProperties: ');
  });
});
