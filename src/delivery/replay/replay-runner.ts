import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { destinationExists } from '../../destinations/destination-conditions';
import { Lookout, type Watch } from '../../platform/background/lookout';
import { Database, type OpenTransaction } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { ThrottledWarning } from '../../platform/logging/throttled-warning';
import { BacklogJobs } from '../backlog-jobs';
import { DeadLetterQueue } from '../dead-letters/dead-letter-queue';
import type { DeadKey } from '../ledger/dead-letters/read-dead-letters';
import { ReplaySteps, type RunningReplay } from './replay-steps';
import { RestingReplays } from './resting-replays';

interface TakenReplay extends RunningReplay {
  /** False when its destination was deleted. */
  readonly wanted: boolean;
}

/** A replay that no worker carried on for a while does not catch up at once. */
const MAX_STEP_SECONDS = 2;
/** Of the rate: what is left of a part waits for the next one. */
const MIN_STEP_SECONDS = 0.5;

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
    private readonly steps: ReplaySteps,
    private readonly letters: DeadLetterQueue,
    private readonly backlogs: BacklogJobs,
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

  private async runAll(): Promise<void> {
    while (!this.watch.stopping && (await this.step()));
  }

  /** Does what may be done now of one replay; false when there was none. One that fails keeps no other one waiting. */
  private async step(): Promise<boolean> {
    const beganMs = performance.now();
    const taken: TakenReplay[] = [];
    let reopened: readonly DeadKey[] = [];
    try {
      reopened = await this.database.transaction(async (tx) => {
        const [replay] = await tx.query<TakenReplay>(takeReplaySql, [this.resting.ids]);
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
  private async carryOn(replay: TakenReplay, tx: OpenTransaction): Promise<readonly DeadKey[]> {
    if (!replay.wanted) {
      await tx.query(saveStepSql, [replay.id, 0, JSON.stringify(replay.position), 'cancelled', 0, 0]);
      return [];
    }
    const { count, made, position, spent, isLast, reopened = [] } = await this.steps.make(replay, tx);
    const state = isLast ? 'done' : 'running';
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
}
