import { Injectable } from '@nestjs/common';
import type { EventKey } from '../../events/customer-event';
import { keepErasuresOut } from '../../events/erasure-gate';
import { Config } from '../../platform/config/config';
import type { OpenTransaction, Tx } from '../../platform/database/database';
import type { DeadKey } from '../ledger/dead-letters/read-dead-letters';
import { reopenDeadLetters } from '../ledger/dead-letters/reopen-dead-letters';
import type { ReplayFilter } from './replay-filter';
import { ReplayedEvents } from './replayed-events';

/** A replay that a worker has taken. */
export interface RunningReplay {
  readonly id: string;
  readonly kind: 'dead_letters' | 'events';
  readonly destination_id: string;
  readonly filter: ReplayFilter;
  readonly position: unknown;
  /** How many may be done in this step. */
  readonly quota: number;
}

/** What a step came to. */
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

/** A step of a replay that chooses looks at so many events: few of them may be wanted. */
const MIN_LOOK_EVENTS = 2_000;

/** Makes the steps of replays: the next dead letters are pending again, or the next events have new deliveries. */
@Injectable()
export class ReplaySteps {
  constructor(
    private readonly replayed: ReplayedEvents,
    private readonly config: Config,
  ) {}

  /** In the transaction that notes how far the replay is. */
  make(replay: RunningReplay, tx: OpenTransaction): Promise<Step> {
    return replay.kind === 'events' ? this.sendAgain(replay, tx) : this.reopen(replay, tx);
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
}
