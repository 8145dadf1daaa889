import assert from 'node:assert/strict';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import type { Answer, Connector, OutboundBatch } from '../connectors/connector';
import { sendsBatches } from '../connectors/connector';
import type { ConnectorContext } from '../connectors/connector-context';
import { connectorSchema } from '../connectors/connector-schema';
import { PermanentDeliveryError, RetryableDeliveryError } from '../connectors/delivery-error';
import { secretsIn } from '../connectors/secret-fields';
import type { JsonObject } from '../events/customer-event';
import { RecordingServer } from './recording-server';
import { sampleEvents } from './sample-events';
import { testContext } from './test-context';

export interface ContractOptions<Config extends object> {
  readonly connector: Connector<Config>;
  /** A config that sends to a server at this address, secrets included. */
  config(url: string): Config;
  /** Configs that must be refused. */
  readonly invalidConfigs?: readonly object[];
  /** A config of a real server to use where sending must succeed, when one that answers `200 ok` is not enough. */
  readonly workingConfig?: () => Config;
}

/** One thing every connector must do. */
export interface ContractCheck {
  readonly name: string;
  run(): Promise<void>;
}

const SHORT_MS = 500;
const PATIENCE_MS = 10_000;

/**
 * What every connector must do, for any test runner: `for (const { name, run } of connectorContract(…)) test(name,
 * run)`.
 */
export function connectorContract<Config extends object>(options: ContractOptions<Config>): ContractCheck[] {
  const { connector, invalidConfigs = [] } = options;
  const working = (server: RecordingServer): Config =>
    options.workingConfig?.() ?? options.config(server.url);
  const check = (name: string, work: (server: RecordingServer) => Promise<void>): ContractCheck => ({
    name: `${connector.id}: ${name}`,
    run: () => withServer(work),
  });
  return [
    check('takes a valid config and describes it', async ({ url }) => {
      assert.deepEqual(await problemsOf(connector, options.config(url)), []);
      const known = Object.keys(connectorSchema(connector).properties ?? {});
      for (const field of connector.secretFields)
        assert.ok(known.includes(field.split('.')[0] ?? ''), `${field} is not in the schema`);
    }),
    check('refuses unknown members and invalid configs', async ({ url }) => {
      for (const config of [{ ...options.config(url), noSuchMember: 1 }, ...invalidConfigs]) {
        assert.notDeepEqual(
          await problemsOf(connector, config),
          [],
          `not refused: ${JSON.stringify(config)}`,
        );
      }
    }),
    check('sends events of every type', async (server) => {
      const config = working(server);
      await withContext(async (context) => void (await sendAll(connector, config, context)));
      if (options.workingConfig === undefined) assert.ok(server.requests.length > 0, 'nothing was sent');
    }),
    check('tries again after a 503', (server) => fails(options, server, 503)),
    check('tries again after a 429', (server) => fails(options, server, 429)),
    check('ends every refusal with one of the two errors', async (server) => {
      for (const status of [301, 400, 401, 403, 404, 410, 500]) {
        server.answer(status, { location: server.url });
        const error = await errorOf(connector, options.config(server.url));
        assert.ok(isDeliveryError(error), `${status}: ${String(error)} is no delivery error`);
      }
    }),
    check('tries again when nobody answers at the address', async (server) => {
      await server.stop();
      assert.ok((await errorOf(connector, options.config(server.url))) instanceof RetryableDeliveryError);
    }),
    check('stops when the try is over', async (server) => {
      server.hang();
      const start = performance.now();
      assert.ok(
        (await errorOf(connector, options.config(server.url), SHORT_MS)) instanceof RetryableDeliveryError,
      );
      assert.ok(performance.now() - start < PATIENCE_MS, 'it went on after its signal was aborted');
    }),
    check('shows no secret in errors or logs', async (server) => {
      server.answer(500, {}, 'no');
      const config = options.config(server.url);
      await withContext(async (context) => {
        const error = await sendAll(connector, config, context).catch((thrown: unknown) => thrown);
        const shown = `${JSON.stringify(error)} ${String(error)} ${context.logs.join(' ')}`;
        for (const { path, value } of secretsIn(config as JsonObject, connector.secretFields)) {
          assert.ok(typeof value !== 'string' || !shown.includes(value), `${path.join('.')} is shown`);
        }
      });
    }),
  ];
}

async function fails<Config extends object>(
  { connector, config }: ContractOptions<Config>,
  server: RecordingServer,
  status: number,
): Promise<void> {
  server.answer(status);
  const error = await errorOf(connector, config(server.url));
  assert.ok(error instanceof RetryableDeliveryError, `${String(error)} is no RetryableDeliveryError`);
}

async function errorOf<Config extends object>(
  connector: Connector<Config>,
  config: Config,
  timeoutMs?: number,
): Promise<unknown> {
  let error: unknown;
  await withContext(async (context) => {
    error = await sendAll(connector, config, context).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  }, timeoutMs);
  assert.notEqual(error, undefined, 'it took a failure for a success');
  return error;
}

async function sendAll<Config extends object>(
  connector: Connector<Config>,
  config: Config,
  context: ConnectorContext,
): Promise<Answer> {
  if (sendsBatches(connector, config)) return connector.sendBatch(sampleBatch(), config, context);
  let answer: Answer = {};
  for (const { deliveryId, eventType, body } of sampleEvents()) {
    answer = await connector.send({ deliveryId, eventType, body }, config, context);
  }
  return answer;
}

/** All sample events in one batch. */
export function sampleBatch(): OutboundBatch {
  const events = sampleEvents();
  return {
    id: '0190a1b2-0000-7000-8000-00000000bbbb',
    sourceId: '0190a1b2-0000-7000-8000-00000000aaaa',
    hour: '2026-01-02T03',
    eventCount: events.length,
    events: async function* () {
      for (const { deliveryId, eventType, body } of events) yield { deliveryId, eventType, body };
    },
  };
}

async function problemsOf<Config extends object>(
  connector: Connector<Config>,
  config: object,
): Promise<unknown[]> {
  const instance = plainToInstance(connector.configClass, config);
  const errors = await validate(instance, { whitelist: true, forbidNonWhitelisted: true });
  return errors.length > 0 ? errors : [...((await connector.check?.(instance)) ?? [])];
}

function isDeliveryError(error: unknown): boolean {
  return error instanceof RetryableDeliveryError || error instanceof PermanentDeliveryError;
}

async function withServer(work: (server: RecordingServer) => Promise<void>): Promise<void> {
  const server = await RecordingServer.start();
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

async function withContext(
  work: (context: ReturnType<typeof testContext>) => Promise<void>,
  timeoutMs?: number,
): Promise<void> {
  const context = testContext(timeoutMs);
  try {
    await work(context);
  } finally {
    await context.close();
  }
}
