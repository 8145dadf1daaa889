import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IsString } from 'class-validator';
import { connector as slack } from '../../examples/connectors/slack/src/slack.connector';
import type { EventConnector } from '../../src/connectors/connector';
import { connectorSchema } from '../../src/connectors/connector-schema';
import { PermanentDeliveryError, RetryableDeliveryError } from '../../src/connectors/delivery-error';
import { EgressPolicy } from '../../src/connectors/egress/egress-policy';
import { EgressProxy } from '../../src/connectors/egress/egress-proxy';
import { HttpClient } from '../../src/connectors/egress/http-client';
import { loadConnectors } from '../../src/connectors/load-connectors';
import { S3ExportConnector } from '../../src/connectors/s3-export/s3-export.connector';
import { WebhookConnector } from '../../src/connectors/webhook/webhook.connector';
import { Config } from '../../src/platform/config/config';
import { connectorContract } from '../../src/testing/connector-contract';
import { startBucket, type TestBucket } from '../support/s3-server';

const config = Config.from({ NODE_ENV: 'test' });
const policy = new EgressPolicy(config);
const proxy = new EgressProxy(config);
const client = new HttpClient(policy, proxy);
let bucket: TestBucket;

beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(async () => {
  await client.onModuleDestroy();
  await bucket.close();
});

describe('every connector', () => {
  const contracts = [
    ...connectorContract({
      connector: new WebhookConnector(policy, client),
      config: (url) => ({ url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
      invalidConfigs: [{ url: 'http://10.0.0.1/', secret: 'x' }, { secret: 'x' }],
    }),
    ...connectorContract({
      connector: new WebhookConnector(policy, client),
      config: (url) => ({
        url,
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        headers: { 'X-Gateway-Key': 'a-key-of-the-gateway' },
        auth: { type: 'basic' as const, username: 'ada', password: 'a-password' },
      }),
    }),
    ...connectorContract({
      connector: new WebhookConnector(policy, client),
      config: (url) => ({ url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', batch: {} }),
      invalidConfigs: [{ url: 'http://127.0.0.1', secret: 'a-secret-of-length', batch: { maxEvents: 0 } }],
    }),
    ...connectorContract({
      connector: new S3ExportConnector(policy),
      config: (url) => ({ ...s3Config(url) }),
      workingConfig: () => ({ ...bucket.config }),
      invalidConfigs: [{}, { bucket: 'UPPER' }, { bucket: 'b-1', endpoint: 'http://169.254.169.254' }],
    }),
    ...connectorContract({
      connector: slack,
      config: (url) => ({ webhookUrl: `${url}/services/secret` }),
      invalidConfigs: [{}, { webhookUrl: 'slack' }],
    }),
  ];
  it.each(contracts)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

const DECLARED = `id: "a", name: "A", secretFields: [], send() {}, configClass: (() => {
  class Config {}
  require(${JSON.stringify(require.resolve('class-validator'))}).IsString()(Config.prototype, 'url');
  return Config;
})()`;

describe('loading connectors', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'cdp-connectors-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  function aModule(name: string, text: string): string {
    writeFileSync(join(directory, name), text);
    return `./${name}`;
  }

  it.each([
    ['./nowhere.js', 'there is no module at '],
    ['no-such-package', 'there is no such package in '],
  ])('says in one line that %s is not there', async (specifier, reason) => {
    const loading = loadConnectors([specifier], directory);
    await expect(loading).rejects.toThrow(
      `CDP_CONNECTORS: the connector "${specifier}" cannot be used: ${reason}`,
    );
    await expect(loading).rejects.toThrow(/^.*$/);
  });

  it.each([
    ['empty.js', 'exports.nothing = 1', 'exports no connector'],
    ['throws.js', 'throw new Error("needs a key")', 'needs a key'],
    ['needs.js', 'require("what-is-not-there")', "Cannot find module 'what-is-not-there'"],
    [
      'taken.js',
      `exports.connector = { ${DECLARED}, id: "webhook" }`,
      'another connector with the id "webhook"',
    ],
    [
      'twice.js',
      `exports.connectors = [{ ${DECLARED} }, { ${DECLARED} }]`,
      'another connector with the id "a"',
    ],
    ['id.js', 'exports.connector = { id: "Not An Id" }', 'its id must be'],
    ['config.js', 'exports.connector = { id: "a", name: "A" }', 'no configClass'],
    [
      'send.js',
      'exports.connector = { id: "a", name: "A", configClass: class {}, secretFields: [] }',
      'neither send nor sendBatch',
    ],
    [
      'undecorated.js',
      'exports.connector = { id: "a", name: "A", configClass: class {}, secretFields: [], send() {} }',
      'class-validator',
    ],
  ])('names %s and what is wrong with it', async (name, text, reason) => {
    const specifier = aModule(name, text);
    const loading = loadConnectors([specifier], directory);
    await expect(loading).rejects.toThrow(`CDP_CONNECTORS: the connector "${specifier}" cannot be used`);
    await expect(loading).rejects.toThrow(reason);
    await expect(loading).rejects.toThrow(/^.*$/);
  });

  it('describes a config with its secrets marked', () => {
    class Settings {
      @IsString()
      token: string;
    }
    const connector: EventConnector<Settings> = {
      id: 'a',
      name: 'A',
      configClass: Settings,
      secretFields: ['token'],
      send: async () => ({}),
    };
    expect(connectorSchema(connector)).toMatchObject({
      type: 'object',
      required: ['token'],
      properties: { token: { type: 'string', writeOnly: true } },
    });
  });
});

describe('the errors of deliveries', () => {
  it('are known although they come from another copy of the module', () => {
    jest.isolateModules(() => {
      const copy =
        require('../../src/connectors/delivery-error') as typeof import('../../src/connectors/delivery-error');
      expect(copy.RetryableDeliveryError).not.toBe(RetryableDeliveryError);
      expect(new copy.RetryableDeliveryError('a')).toBeInstanceOf(RetryableDeliveryError);
      expect(new copy.PermanentDeliveryError('a')).toBeInstanceOf(PermanentDeliveryError);
      expect(new copy.PermanentDeliveryError('a')).not.toBeInstanceOf(RetryableDeliveryError);
      expect(new Error('a')).not.toBeInstanceOf(RetryableDeliveryError);
    });
  });
});

function s3Config(endpoint: string): typeof bucket.config {
  const keys = { accessKeyId: 'an-access-key', secretAccessKey: 'a-secret-access-key' };
  return { bucket: 'customer-events', endpoint, forcePathStyle: true, ...keys };
}
