import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { destinationExists } from '../../destinations/destination-conditions';
import { keepErasuresOut } from '../../events/erasure-gate';
import type { EventKey } from '../../events/customer-event';
import { Lookout, type Watch } from '../../platform/background/lookout';
import { Config } from '../../platform/config/config';
import { Database, type OpenTransaction, type Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { ThrottledWarning } from '../../platform/queues/throttled-warning';
import { BacklogJobs } from '../backlog-jobs';
import { DeadLetterQueue } from '../dead-letters/dead-letter-queue';
import type { DeadKey } from '../ledger/dead-letters/read-dead-letters';
import { reopenDeadLetters } from '../ledger/dead-letters/reopen-dead-letters';
import { ReplayedEvents } from './replayed-events';
import type { ReplayFilter } from './replay-filter';
import { RestingReplays } from './resting-replays';

interface RunningReplay {
  readonly id: string;
  readonly kind: 'dead_letters' | 'events';
  readonly destination_id: string;
  readonly filter: ReplayFilter;
  readonly position: unknown;
  /** How many may be done in this step. */
  readonly quota: number;
  /** False when its destination was deleted. */
  readonly wanted: boolean;
}

interface Step {
  /** How many were looked at. */
  readonly count: number;
  /** How many deliveries were made of them. */
  readonly made: number;
  /** How many of them the rate counts. */
  readonly spent: number;
  /** Whether none are left. */
  readonly isLast: boolean;
  readonly position: unknown;
  /** Dead letters that are none any more. */
  readonly reopened?: readonly DeadKey[];
}

/** A replay that no worker carried on for a while does not catch up at once. */
const MAX_STEP_SECONDS = 2;
/** Of the rate: what is left of a part waits for the next one. */
const MIN_STEP_SECONDS = 0.5;
/** A step of a replay that chooses looks at so many events: few of them may be wanted. */
const MIN_LOOK_EVENTS = 2_000;

// A step that was made later than now was made while PostgreSQL's clock was ahead.
const SECONDS = `least(abs(extract(epoch from now() - stepped_at)), ${MAX_STEP_SECONDS})`;
const takeReplaySql = prepared('take_replay')`
  select id, kind, destination_id, filter, position, floor(rate_per_second * ${SECONDS})::int as quota,
    ${destinationExists('replay.destination_id')} as wanted
  from replay
  where state = 'running' and ${SECONDS} >= greatest(${MIN_STEP_SECONDS}, 1.0 / rate_per_second) and id <> all($1::uuid[])
  order by stepped_at limit 1 for update skip locked`;
/** Those come first from then on of which no step has failed lately. */
const putOffSql = prepared('put_off_replay')`update replay set stepped_at = now() where id = $1`;
const saveStepSql = prepared('save_replay_step')`
  with step as materialized (
    -- The time up to which the rate is used up.
    select id, now() - make_interval(secs => ${SECONDS} - $5::float8 / rate_per_second) as stepped_at
    from replay where id = $1
  )
  update replay set done = done + $2, deliveries = deliveries + $6, state = $4, updated_at = now(),
    stepped_at = step.stepped_at,
    -- They name people, and are of no use any more.
    position = case when $4 = 'running' then $3::jsonb end,
    filter = case when $4 = 'running' then filter else filter - 'selection' end
  from step where replay.id = step.id`;

/** Carries replays out, a part every second, each by one worker at a time. */
@Injectable()
export class ReplayRunner implements OnModuleDestroy {
  private readonly logger = new Logger(ReplayRunner.name);
  private readonly warning = new ThrottledWarning(this.logger);
  private readonly resting = new RestingReplays();
  private readonly watch: Watch;

  constructor(
    private readonly database: Database,
    private readonly replayed: ReplayedEvents,
    private readonly letters: DeadLetterQueue,
    private readonly backlogs: BacklogJobs,
    private readonly config: Config,
    lookout: Lookout,
  ) {
    this.watch = lookout.watch<boolean>({
      sql: `select exists (select from replay where state = 'running')`,
      act: async (running) => running && this.runAll(),
      report: (error) => this.logger.warn(`A replay could not go on: ${String(error)}`),
    });
  }

  onModuleDestroy(): void {
    void this.watch.stop();
  }

  /** Does what may be done now of one replay; false when there was none. One that fails keeps no other one waiting. */
  async step(): Promise<boolean> {
    const beganMs = performance.now();
    const taken: RunningReplay[] = [];
    let reopened: readonly DeadKey[] = [];
    try {
      reopened = await this.database.transaction(async (tx) => {
        const [replay] = await tx.query<RunningReplay>(takeReplaySql, [this.resting.ids]);
        if (replay === undefined) return [];
        taken.push(replay);
        return this.carryOn(replay, tx);
      });
    } catch (error) {
      const [replay] = taken;
      if (replay === undefined) throw error;
      await this.putOff(replay, performance.now() - beganMs, error);
    }
    await this.letters.withdraw(reopened);
    // A queue that hangs holds up no replay.
    for (const { destination_id: destinationId } of taken) void this.backlogs.tell(destinationId);
    return taken.length > 0;
  }

  /** Answers the dead letters that are none any more. */
  private async carryOn(replay: RunningReplay, tx: OpenTransaction): Promise<readonly DeadKey[]> {
    if (!replay.wanted) {
      await tx.query(saveStepSql, [replay.id, 0, JSON.stringify(replay.position), 'cancelled', 0, 0]);
      return [];
    }
    const step = replay.kind === 'events' ? await this.sendAgain(replay, tx) : await this.reopen(replay, tx);
    const state = step.isLast ? 'done' : 'running';
    const { count, made, position, spent, reopened = [] } = step;
    await tx.query(saveStepSql, [replay.id, count, JSON.stringify(position), state, spent, made]);
    return reopened;
  }

  /** @throws when PostgreSQL is away: then nobody can go on, and the next look follows. */
  private async putOff(
    { id, destination_id: destinationId }: RunningReplay,
    tookMs: number,
    error: unknown,
  ): Promise<void> {
    await this.database.query(putOffSql, [id]);
    this.resting.rest(id, tookMs);
    this.warning.warn(`A replay could not go on: ${String(error)}`, { replayId: id, destinationId });
  }

  private async reopen(replay: RunningReplay, tx: Tx): Promise<Step> {
    const { toId, reason } = replay.filter;
    // Past what was reopened before: what dies again in the meantime stays dead.
    const fromId = typeof replay.position === 'string' ? replay.position : replay.filter.fromId;
    const { destination_id: destinationId, quota: limit } = replay;
    const reopened = await reopenDeadLetters(
      { destinationId, fromId, toId, reason, limit },
      this.config.delivery,
      tx,
    );
    const ids = reopened.map(({ deliveryId }) => deliveryId).sort();
    const isLast = ids.length < limit;
    const { length } = ids;
    return {
      count: length,
      made: length,
      spent: length,
      isLast,
      position: ids.at(-1) ?? replay.position,
      reopened,
    };
  }

  private async sendAgain(replay: RunningReplay, tx: OpenTransaction): Promise<Step> {
    await keepErasuresOut(tx);
    const { id, filter, quota, destination_id: destinationId } = replay;
    const after = (replay.position as EventKey | null) ?? undefined;
    const limit = filter.selection === undefined ? quota : Math.max(quota, MIN_LOOK_EVENTS);
    const { seen, wanted, isLast } = await this.replayed.read({ destinationId, filter, after, limit }, tx);
    const sent = wanted.slice(0, quota);
    await this.replayed.write({ id, destinationId }, sent, tx);
    if (sent.length === wanted.length) {
      const spent = filter.selection === undefined ? seen.length : sent.length;
      return { count: seen.length, made: sent.length, spent, isLast, position: seen.at(-1) ?? after ?? null };
    }
    // The others come with the next step.
    const end = seen.findIndex((event) => event.id === sent.at(-1)?.id);
    return {
      count: end + 1,
      made: sent.length,
      spent: sent.length,
      isLast: false,
      position: seen[end],
    };
  }

  private async runAll(): Promise<void> {
    while (!this.watch.stopping && (await this.step()));
  }
}
