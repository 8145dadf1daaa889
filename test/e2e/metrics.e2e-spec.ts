import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parse } from 'yaml';
import { InboxMetrics } from '../../src/ingestion/processing/inbox.metrics';
import { Database } from '../../src/platform/database/database';
import { Config } from '../../src/platform/config/config';
import { ExposedMetrics } from '../../src/platform/metrics/exposed-metrics';
import { Metrics } from '../../src/platform/metrics/metrics';
import { MetricsServer } from '../../src/platform/metrics/metrics-server';
import { aSource, type TestSource } from '../support/a-source';
import { anApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { sendTracks } from '../support/send-events';
import { startTestService, type TestService } from '../support/test-service';

const DEPLOY = join(__dirname, '..', '..', 'deploy');

interface AlertFile {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly runbook: string };
    }[];
  }[];
}

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

const alerts = (
  parse(readFileSync(join(DEPLOY, 'prometheus/alerts.yml'), 'utf8')) as AlertFile
).groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(readFileSync(join(DEPLOY, 'grafana/dashboard.json'), 'utf8')) as Dashboard;

describe('the metrics of a service that has worked', () => {
  let service: TestService;
  let receiver: Receiver;
  let source: TestSource;

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_DELIVERY_MAX_ATTEMPTS: '1' } });
    receiver = await Receiver.start();
    source = await aSource(service.databaseUrl);
    const api = await anApiClient(service);
    const made = await api.post('/destinations', {
      name: 'Receiver',
      type: 'webhook',
      config: { url: receiver.url },
    });
    expect(made.status).toBe(201);
    const good = anEvent();
    await send([good, good, anEvent(), { type: 'track' }]);
    await eventually(() => expect(receiver.ids()).toHaveLength(2));
    receiver.answer(500);
    await send([anEvent()]);
    await eventually(async () => expect(await value('cdp_delivery_tries_total{result="dead"}')).toBe(1));
  });
  afterAll(async () => {
    await service.close();
    await receiver.stop();
  });

  function anEvent(): object {
    return {
      type: 'track',
      event: 'Seen',
      userId: 'ada',
      messageId: randomUUID(),
      timestamp: new Date().toISOString(),
    };
  }

  async function send(batch: readonly object[]): Promise<void> {
    await fetch(`${service.url}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}` },
      body: JSON.stringify({ batch }),
    });
  }

  async function scrape(): Promise<string> {
    return (await fetch(`${service.url}/metrics`)).text();
  }

  async function value(series: string): Promise<number | undefined> {
    const line = (await scrape()).split('\n').find((text) => text.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  }

  function unhealthy(labels: string, reason = 'many_failures'): string {
    return `cdp_destination_unhealthy_seconds{${labels},state="degraded",reason="${reason}"}`;
  }

  it.each([
    ['cdp_events_total{outcome="accepted"}', 3],
    ['cdp_events_total{outcome="duplicate"}', 1],
    ['cdp_events_total{outcome="rejected"}', 1],
    ['cdp_ingest_commit_events_count', 2],
    ['cdp_delivery_tries_total{result="delivered"}', 2],
    ['cdp_delivery_try_seconds_count{result="delivered"}', 2],
    ['cdp_inbox_commits', 0],
    ['cdp_inbox_lag_seconds', 0],
    ['cdp_delivery_overdue_seconds{destination_state="up"}', 0],
    ['cdp_queue_jobs{queue="events",state="waiting"}', 0],
  ])('count %s as %d', async (series, expected) => {
    await eventually(async () => expect(await value(series)).toBe(expected));
  });

  it('name the destination that fails and has dead letters', async () => {
    const { body: destinations } = await (await anApiClient(service)).get('/destinations');
    const labels = `destination="Receiver",destination_id="${destinations[0].id}"`;
    await eventually(async () => {
      expect(await value(`cdp_dead_letters{${labels}}`)).toBe(1);
      expect(await value(unhealthy(labels))).toBeGreaterThanOrEqual(0);
    });
  });

  it('go on to name it when all tries of the last hour failed, of which none is new', async () => {
    const { body: destinations } = await (await anApiClient(service)).get('/destinations');
    const { id } = destinations[0];
    const database = service.app.get(Database);
    await database.query(
      `with others as (delete from delivery_minute where destination_id = $1 and outcome = 'delivered')
       update delivery_minute set minute = minute - interval '20 minutes', first_at = first_at - interval '20 minutes'
       where destination_id = $1 and outcome <> 'delivered'`,
      [id],
    );
    await eventually(async () =>
      expect(await value(unhealthy(`destination="Receiver",destination_id="${id}"`))).toBeGreaterThan(1_190),
    );
  });

  it('name a destination that nothing can be sent to, and do not call what waits for it late', async () => {
    const database = service.app.get(Database);
    const api = await anApiClient(service);
    const settings = { name: 'Sealed', type: 'webhook', config: { url: receiver.url } };
    const { id } = (await api.post('/destinations', settings)).body;
    await database.query(`update destination set secrets_sealed = 'with another key' where id = $1`, [id]);
    await send([anEvent()]);
    await eventually(async () => {
      const late = await database.query(
        `update delivery set due_at = now() - interval '10 minutes' where destination_id = $1 returning id`,
        [id],
      );
      expect(late).toHaveLength(1);
    });
    const sealed = `destination="Sealed",destination_id="${id}"`;
    await eventually(async () => {
      expect(await value(unhealthy(sealed, 'secrets_not_readable'))).toBe(0);
      expect(await value('cdp_delivery_overdue_seconds{destination_state="blocked"}')).toBeGreaterThan(590);
    });
    expect(await value('cdp_delivery_overdue_seconds{destination_state="up"}')).toBe(0);
    expect((await api.get(`/destinations/${id}/stats`)).body.overdueSeconds).toBeGreaterThan(590);
    await api.delete(`/destinations/${id}`);
  });

  it('have no labels beside the ones of closed sets', async () => {
    const text = await scrape();
    const ours = text.split('\n').filter((line) => line.startsWith('cdp_'));
    const labels = ours.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, name]) => name!));
    const closed = ['outcome', 'code', 'le', 'state', 'queue', 'result', 'destination_state', 'reason'];
    // Of destinations that are not healthy or have dead letters, at most a hundred.
    closed.push('destination', 'destination_id');
    expect(closed).toEqual(expect.arrayContaining([...new Set(labels)]));
    expect(text).not.toContain(source.id);
  });

  const queries = [
    ...alerts.map(({ alert, expr }) => [alert, expr] as const),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => ['dashboard', expr] as const)),
  ];
  it.each(queries)('are there for %s: %s', async (_where, expr) => {
    const names = expr.match(/\b(?:cdp|process|nodejs)_[a-z0-9_]+/g) ?? [];
    expect(names).not.toEqual([]);
    const text = await scrape();
    for (const name of names) expect(text).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
  });

  const runbook = readFileSync(join(DEPLOY, '..', 'docs', 'operations.md'), 'utf8');
  it.each(alerts.map(({ alert, annotations }) => [alert, annotations.runbook]))(
    'have a chapter in the runbook for the alert %s',
    (alert, link) => {
      expect(link).toBe(`docs/operations.md#${alert.toLowerCase()}`);
      expect(runbook).toMatch(new RegExp(`^#+ ${alert}$`, 'm'));
    },
  );
});

describe('the metrics of the inbox', () => {
  it('say how much waits, and for how long', async () => {
    // A worker would be at it: its gauges, in a process where nobody is.
    const service = await startTestService({ env: { CDP_ROLES: 'management,events' } });
    try {
      const database = service.app.get(Database);
      expect(new InboxMetrics(service.app.get(Metrics), database)).toBeDefined();
      const { writeKey } = await aSource(service.databaseUrl);
      for (const id of ['m-1', 'm-2']) {
        expect(await sendTracks({ url: service.url, writeKey }, [id, `${id}-too`])).toBe(200);
      }
      await database.query(`update inbox set created_at = created_at - interval '1 minute'`);
      await eventually(async () => {
        const text = await (await fetch(`${service.url}/metrics`)).text();
        const gauge = (name: string): number => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
        expect(gauge('cdp_inbox_commits')).toBe(2);
        expect(gauge('cdp_inbox_lag_seconds')).toBeGreaterThanOrEqual(60);
        expect(gauge('cdp_inbox_lag_seconds')).toBeLessThan(300);
      });
      // What cannot be read is missing, as the alerts expect; it is not what it was.
      await database.query('alter table inbox rename to inbox_away');
      await eventually(async () => {
        const text = await (await fetch(`${service.url}/metrics`)).text();
        expect(text).toContain('cdp_database_pool_waiting');
        expect(text).not.toMatch(/^cdp_inbox_(commits|lag_seconds)/m);
      }, 20_000);
      await database.query('alter table inbox_away rename to inbox');
    } finally {
      await service.close();
    }
  });
});

describe('the metrics on a port of their own', () => {
  it('are on no other, and nothing else is there', async () => {
    const service = await startTestService({ env: { CDP_METRICS_PORT: '0' } });
    try {
      const { port } = service.app.get(MetricsServer, { strict: false });
      const own = `http://127.0.0.1:${port}`;
      expect(await (await fetch(`${own}/metrics`)).text()).toContain('cdp_database_pool_waiting');
      expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
      const others = ['/', '/sources', '/queues', '/openapi.json', '/health/live', '/metrics/x'];
      for (const path of others) expect((await fetch(own + path)).status).toBe(404);
      expect((await fetch(`${own}/metrics`, { method: 'POST' })).status).toBe(404);
      const metrics = service.app.get(Metrics);
      const taken = Config.from({ CDP_METRICS_PORT: String(port) });
      const second = new MetricsServer(taken, metrics, new ExposedMetrics(metrics));
      await expect(second.onApplicationBootstrap()).rejects.toThrow('CDP_METRICS_PORT');
    } finally {
      await service.close();
    }
  });
});
