import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { Lookout } from '../../platform/background/lookout';
import { Config } from '../../platform/config/config';
import { Database, type PreparedStatement } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

interface ProbeRow {
  readonly destination_id: string;
  /** Until the probe after this one. */
  readonly wait_ms: number;
}

const FIRST_PROBE_MS = 1_000;
/** No wait between two probes is longer. A receiver that is back may wait this long until that is noticed. */
export const MAX_PROBE_MS = 30_000;
/** The same in development, where somebody waits for the receiver that is being written: as its deliveries would. */
const DEVELOPMENT_MAX_PROBE_MS = 15_000;
/** A receiver that asks for a day is asked again after this: what it said was about deliveries, and it may be back. */
const MAX_ASKED_PROBE_MS = 120_000;
const BACK = 'A destination has recovered: what waits for it is sent';
/** Probes that one process begins in a second, were all destinations down. */
const MAX_PROBES = 200;

// The first of several workers that find the destination down opens the breaker; the others change nothing.
const openBreakerSql = prepared('open_breaker')`
  with broken as (
    select id, now() as since, now() + $3 * interval '1 millisecond' as probe_at from destination where id = $1
  )
  insert into destination_health as h (destination_id, breaker, reason, since, probe_at, probes)
  select id, 'open', $2, since, probe_at, 0 from broken
  on conflict (destination_id) do update
    set breaker = 'open', reason = excluded.reason, since = excluded.since, probe_at = excluded.probe_at, probes = 0
    where h.breaker = 'closed'`;
const putOffProbeSql = prepared('put_off_probe')`
  with asked as (
    select destination_id, greatest(probe_at, now() + $2 * interval '1 millisecond') as probe_at
    from destination_health where destination_id = $1 and breaker = 'open'
  )
  update destination_health h set probe_at = asked.probe_at
  from asked where h.destination_id = asked.destination_id and h.breaker = 'open'`;
const closeBreakerSql = prepared('close_breaker')`
  update destination_health set breaker = 'closed', reason = null, since = now(), probe_at = null, probes = 0
  where destination_id = $1 and breaker = 'open'`;
// A test is in no statistics; but what failed before it says nothing of the destination now.
const noteTestSql = prepared('note_successful_test')`
  with tested as (select id, now() as at from destination where id = $1)
  insert into destination_health as h (destination_id, tested_at) select id, at from tested
  on conflict (destination_id) do update
    set breaker = 'closed', reason = null, since = excluded.tested_at, tested_at = excluded.tested_at,
      probe_at = null, probes = 0`;
const readOpenSql = prepared('read_open_breakers')`
  select coalesce(json_agg(destination_id), '[]') as open from destination_health where breaker = 'open'`;
// The worker that moves probe_at has the probe. The wait doubles from one probe to the next, and is shorter by up to
// two fifths by chance. A time that no wait leads to was written while PostgreSQL's clock was ahead.
const takeProbesSql = prepared('take_probes')`
  with due as (
    select destination_id,
      least($1::float8 * 2 ^ least(probes, 20), $2) * (0.6 + 0.4 * $4::float8) as wait_ms,
      now() + least($1::float8 * 2 ^ least(probes, 20), $2) * (0.6 + 0.4 * $4::float8) * interval '1 millisecond' as next_at
    from destination_health
    where breaker = 'open' and destination_id = any($3::uuid[])
      and (probe_at <= now()
        or (probe_at > now() + ${2 * MAX_ASKED_PROBE_MS} * interval '1 millisecond' and probe_at < 'infinity'))
      and exists (select from destination d where d.id = destination_id and d.enabled)
    order by probe_at limit ${MAX_PROBES} for update skip locked
  )
  update destination_health h set probes = h.probes + 1, probe_at = due.next_at
  from due where h.destination_id = due.destination_id
  returning h.destination_id, due.wait_ms`;

/** Which destinations are down, shared by all workers through PostgreSQL. */
@Injectable()
export class DestinationHealth implements OnApplicationBootstrap {
  private readonly logger = new Logger(DestinationHealth.name);
  private open: ReadonlySet<string> = new Set();
  /** When those are probed next that this process has opened or probed, in milliseconds of `Date.now()`. */
  private readonly probeTimes = new Map<string, number>();
  /** Until when no look has seen what this process has changed, in milliseconds of `performance.now()`. */
  private readonly changeTimes = new Map<string, number>();
  private readonly maxProbeMs: number;

  constructor(
    private readonly database: Database,
    private readonly destinations: ActiveDestinations,
    lookout: Lookout,
    config: Config,
  ) {
    this.maxProbeMs = config.development ? DEVELOPMENT_MAX_PROBE_MS : MAX_PROBE_MS;
    lookout.watch<string[]>({
      sql: readOpenSql.text,
      act: async (open, lookedAtMs) => this.know(open, lookedAtMs),
      // What is known stays in force until the next look.
      report: (error) => this.logger.debug(`The state of destinations could not be read: ${String(error)}`),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const [row] = await this.database.query<{ open: string[] }>(readOpenSql);
    this.open = new Set(row?.open);
  }

  /** As of the last look at the database, at most a second ago, and of this process's own changes. */
  isOpen(destinationId: string): boolean {
    return this.open.has(destinationId);
  }

  /** How long until a destination that is down is probed; undefined when another process does that. */
  nextProbeInMs(destinationId: string): number | undefined {
    const probeAt = this.probeTimes.get(destinationId);
    return probeAt === undefined ? undefined : Math.max(0, probeAt - Date.now());
  }

  /** @param retryAfterMs how long the receiver asked to be left alone; the first probe waits two minutes at most */
  async openBreaker(destinationId: string, reason: string, retryAfterMs = 0): Promise<void> {
    this.open = new Set([...this.open, destinationId]);
    const about = { destinationId, name: this.nameOf(destinationId), reason };
    this.logger.warn('A destination is down: its deliveries wait', about);
    const firstProbeMs = Math.min(Math.max(FIRST_PROBE_MS, retryAfterMs), MAX_ASKED_PROBE_MS);
    this.probeTimes.set(destinationId, Date.now() + firstProbeMs);
    await this.change(destinationId, openBreakerSql, [reason, firstProbeMs]);
  }

  /** The receiver has asked a probe to be left alone for so long: the next one waits for it, two minutes at most. */
  async putOffProbe(destinationId: string, retryAfterMs: number): Promise<void> {
    const waitMs = Math.min(retryAfterMs, MAX_ASKED_PROBE_MS);
    this.probeTimes.set(
      destinationId,
      Math.max(this.probeTimes.get(destinationId) ?? 0, Date.now() + waitMs),
    );
    await this.change(destinationId, putOffProbeSql, [waitMs]);
  }

  /**
   * @param works whether the receiver took a delivery, or refused it for what it holds; otherwise nothing waits that
   * could find out
   */
  async closeBreaker(destinationId: string, works: boolean): Promise<void> {
    const news = works ? BACK : 'A destination that was down has nothing left to wait for: it is tried again';
    await this.close(destinationId, closeBreakerSql, news);
  }

  /** A test, or a check of the access, found the destination to be back. */
  async noteTest(destinationId: string): Promise<void> {
    await this.close(destinationId, noteTestSql, BACK);
  }

  /** Which of the destinations that are down and that this process can send to it is to probe now. */
  async takeProbes(canSend: (destinationId: string) => boolean): Promise<string[]> {
    const candidates = [...this.open].filter(canSend);
    if (candidates.length === 0) return [];
    const rows = await this.database.query<ProbeRow>(takeProbesSql, [
      FIRST_PROBE_MS,
      this.maxProbeMs,
      candidates,
      Math.random(),
    ]);
    for (const row of rows) this.probeTimes.set(row.destination_id, Date.now() + row.wait_ms);
    return rows.map((row) => row.destination_id);
  }

  private async close(destinationId: string, statement: PreparedStatement, news: string): Promise<void> {
    await this.change(destinationId, statement);
    if (this.open.has(destinationId))
      this.logger.log(news, { destinationId, name: this.nameOf(destinationId) });
    this.open = new Set([...this.open].filter((id) => id !== destinationId));
  }

  private async change(
    destinationId: string,
    statement: PreparedStatement,
    values: unknown[] = [],
  ): Promise<void> {
    this.changeTimes.set(destinationId, Infinity);
    try {
      await this.database.query(statement, [destinationId, ...values]);
    } finally {
      this.changeTimes.set(destinationId, performance.now());
    }
  }

  /** A look that began before a change of this process was written does not undo it. */
  private know(found: readonly string[], lookedAtMs: number): void {
    for (const [destinationId, changedAtMs] of this.changeTimes) {
      if (changedAtMs < lookedAtMs) this.changeTimes.delete(destinationId);
    }
    const own = [...this.open].filter((id) => this.changeTimes.has(id));
    this.open = new Set([...found.filter((id) => !this.changeTimes.has(id)), ...own]);
    for (const destinationId of this.probeTimes.keys()) {
      if (!this.open.has(destinationId)) this.probeTimes.delete(destinationId);
    }
  }

  private nameOf(destinationId: string): string | undefined {
    return this.destinations.get(destinationId)?.name;
  }
}
