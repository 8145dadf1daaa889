import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { countEventsInRange } from '../../events/reading/event-range';
import { AuditLog } from '../../platform/audit/audit-log';
import type { AuditedAction } from '../../platform/audit/audited-actions';
import type { Actor } from '../../platform/auth/principal';
import { Database, type Tx } from '../../platform/database/database';
import { within } from '../../platform/database/transactions/within';
import { ReplayNotFoundError } from '../api/delivery-problems';
import {
  DEFAULT_REPLAY_RATE,
  type ReplayDeadLettersDto,
  ReplayDto,
  type ReplayEventsDto,
} from '../api/dto/replay.dto';
import { type DestinationWaitsFor, Waits } from '../stats/waits';
import { countDeadLettersIn } from '../ledger/dead-letters/read-dead-letters';
import { eventRangeOf } from './replayed-events';
import { ReplayRequests } from './replay-requests';
import { Replay } from './replay.entity';

/** Counting more than this is not worth it. */
const MAX_TOTAL = 1_000_000;
const MAX_LISTED = 100;

/** Where it is and what was chosen name people, and are of no use any more. */
const cancelReplaySql = `
  update replay set state = 'cancelled', position = null, filter = filter - 'selection', updated_at = now()
  where id = $1 and state = 'running'`;

/** Replays as people ask for them, watch them and call them off. */
@Injectable()
export class Replays {
  constructor(
    @InjectRepository(Replay) private readonly replays: Repository<Replay>,
    private readonly database: Database,
    private readonly requests: ReplayRequests,
    private readonly audit: AuditLog,
    private readonly waits: Waits,
  ) {}

  /** @throws DestinationNotFoundError */
  async startForDeadLetters(request: ReplayDeadLettersDto, actor: Actor): Promise<ReplayDto> {
    const { destinationId, ratePerSecond } = request;
    const filter = await this.requests.readForDeadLetters(request);
    const total = unlessTooMany(
      await countDeadLettersIn({ destinationId, ...filter }, MAX_TOTAL + 1, this.database),
    );
    return this.start({ kind: 'dead_letters', destinationId, filter, total }, ratePerSecond, actor);
  }

  /** @throws DestinationNotFoundError, InvalidRequestError */
  async startForEvents(destinationId: string, request: ReplayEventsDto, actor: Actor): Promise<ReplayDto> {
    const filter = await this.requests.readForEvents(destinationId, request);
    const total = unlessTooMany(await countEventsInRange(eventRangeOf(filter), MAX_TOTAL + 1, this.database));
    return this.start({ kind: 'events', destinationId, filter, total }, request.ratePerSecond, actor);
  }

  /** The newest first, at most 100; of all destinations, or of one. */
  async findAll(destinationId?: string): Promise<ReplayDto[]> {
    const replays = await this.replays.find({
      where: destinationId === undefined ? {} : { destinationId },
      order: { id: 'desc' },
      take: MAX_LISTED,
    });
    const waits = await this.waits.ofDestinations(replays.map(({ destinationId }) => destinationId));
    return replays.map((replay) => ReplayDto.from(replay, waits.get(replay.destinationId)));
  }

  /** @throws ReplayNotFoundError */
  async findOne(replayId: string): Promise<ReplayDto> {
    const replay = isUUID(replayId) ? await this.replays.findOneBy({ id: replayId }) : null;
    if (replay === null) throw new ReplayNotFoundError(replayId);
    return ReplayDto.from(replay, await this.waitOf(replay.destinationId));
  }

  /** Stops a replay where it is. @throws ReplayNotFoundError */
  async cancel(replayId: string, actor: Actor): Promise<ReplayDto> {
    const { destinationId } = await this.findOne(replayId);
    const wait = await this.waitOf(destinationId);
    return this.database.transaction(async (tx) => {
      await tx.query(cancelReplaySql, [replayId]);
      const replay = ReplayDto.from(await within(tx, this.replays).findOneByOrFail({ id: replayId }), wait);
      await this.record(tx, actor, 'cancel_replay', replay);
      return replay;
    });
  }

  private async start(
    given: Pick<Replay, 'kind' | 'destinationId' | 'filter' | 'total'>,
    ratePerSecond: number | undefined,
    actor: Actor,
  ): Promise<ReplayDto> {
    const wait = await this.waitOf(given.destinationId);
    return this.database.transaction(async (tx) => {
      const fresh = {
        state: 'running',
        done: 0,
        deliveries: 0,
        ratePerSecond: ratePerSecond ?? DEFAULT_REPLAY_RATE,
      } as const;
      const replay = await within(tx, this.replays).save({ id: uuidv7(), ...given, ...fresh });
      const started = ReplayDto.from(replay, wait);
      await this.record(tx, actor, `replay_${given.kind}`, started);
      return started;
    });
  }

  private async waitOf(destinationId: string): Promise<DestinationWaitsFor | null | undefined> {
    return (await this.waits.ofDestinations([destinationId])).get(destinationId);
  }

  private record(
    tx: Tx,
    actor: Actor,
    action: AuditedAction<'destination'>,
    replay: ReplayDto,
  ): Promise<void> {
    const { destinationId: resourceId } = replay;
    return this.audit.record(tx, actor, { action, resource: 'destination', resourceId, after: replay });
  }
}

function unlessTooMany(total: number): number | null {
  return total > MAX_TOTAL ? null : total;
}
