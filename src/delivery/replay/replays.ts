import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { uuidv7 } from 'uuidv7';
import { DestinationsService } from '../../destinations/destinations.service';
import { lowestId } from '../../events/partitions/partition-plan';
import { AuditLog } from '../../platform/audit/audit-log';
import type { Actor } from '../../platform/auth/principal';
import {
  Database,
  LONG_STATEMENT_MS,
  type PreparedStatement,
  type Tx,
} from '../../platform/database/database';
import { databaseNowMs } from '../../platform/database/database-clock';
import { ConnectorRegistry } from '../../connectors/registry';
import { ReplayNotFoundError } from '../api/delivery-problems';
import {
  DEFAULT_REPLAY_RATE,
  type ReplayDeadLettersDto,
  type ReplayDto,
  type ReplayEventsDto,
} from '../api/dto/replay.dto';
import {
  destinationWaitsFor,
  WAITING_DESTINATION_COLUMNS,
  type WaitingDestinationRow,
  waitingDestinationJoins,
} from '../api/what-it-waits-for';
import type { ReplayFilter } from './replay-filter';

interface ReplayRow extends WaitingDestinationRow, Record<string, unknown> {
  readonly id: string;
  readonly kind: ReplayDto['kind'];
  readonly destination_id: string;
  readonly state: ReplayDto['state'];
  readonly total: number | null;
  readonly done: number;
  readonly rate_per_second: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Of the destination; null when it was deleted. */
  readonly type: string | null;
}

/** Counting more than this is not worth it. */
const MAX_TOTAL = 1_000_000;
const MAX_LISTED = 100;

const countDeadLettersSql = {
  name: 'count_dead_letters',
  limitMs: LONG_STATEMENT_MS,
  text: `
  select count(*)::int as total from (
    select from delivery
    where state = 'dead' and destination_id = $1 and id >= $2 and id < $3 and ($4::text is null or error_class = $4)
    limit ${MAX_TOTAL + 1}) counted`,
};
const countEventsSql = {
  name: 'count_events',
  limitMs: LONG_STATEMENT_MS,
  text: `
  select count(*)::int as total from (
    select from event where id >= $1 and id < $2 limit ${MAX_TOTAL + 1}) counted`,
};
const insertSql = `
  insert into replay (id, kind, destination_id, filter, rate_per_second, total) values ($1, $2, $3, $4, $5, $6)`;
const cancelSql = `
  update replay set state = case state when 'running' then 'cancelled' else state end, updated_at = now()
  where id = $1`;
const READ = `
  select r.*, t.type, ${WAITING_DESTINATION_COLUMNS}
  from replay r ${waitingDestinationJoins('r.destination_id')}`;
const readOneSql = `${READ} where r.id = $1`;
const readNewestSql = `${READ} order by r.id desc limit ${MAX_LISTED}`;

/** Replays as people ask for them, watch them and call them off. */
@Injectable()
export class Replays {
  constructor(
    private readonly database: Database,
    private readonly destinations: DestinationsService,
    private readonly audit: AuditLog,
    private readonly connectors: ConnectorRegistry,
  ) {}

  /** @throws DestinationNotFoundError */
  async startForDeadLetters(request: ReplayDeadLettersDto, actor: Actor): Promise<ReplayDto> {
    const { destinationId, reason, from, to, ratePerSecond } = request;
    await this.destinations.findOne(destinationId);
    const filter = { ...idRange(from, to), reason: reason ?? null };
    const total = await this.count(countDeadLettersSql, [
      destinationId,
      filter.fromId,
      filter.toId,
      filter.reason,
    ]);
    return this.start('dead_letters', { destinationId, filter, total, ratePerSecond }, actor);
  }

  /** @throws DestinationNotFoundError */
  async startForEvents(destinationId: string, request: ReplayEventsDto, actor: Actor): Promise<ReplayDto> {
    const { from, to, ratePerSecond } = request;
    await this.destinations.findOne(destinationId);
    const filter = { ...idRange(from, to), reason: null };
    const total = await this.count(countEventsSql, [filter.fromId, filter.toId]);
    return this.start('events', { destinationId, filter, total, ratePerSecond }, actor);
  }

  /** The newest first, at most 100. */
  async findAll(): Promise<ReplayDto[]> {
    const rows = await this.database.query<ReplayRow>(readNewestSql);
    return rows.map((row) => this.toReplay(row));
  }

  /** @throws ReplayNotFoundError */
  async findOne(replayId: string, tx: Tx = this.database): Promise<ReplayDto> {
    const [row] = isUUID(replayId) ? await tx.query<ReplayRow>(readOneSql, [replayId]) : [];
    if (row === undefined) throw new ReplayNotFoundError(replayId);
    return this.toReplay(row);
  }

  /** Stops a replay where it is. @throws ReplayNotFoundError */
  async cancel(replayId: string, actor: Actor): Promise<ReplayDto> {
    return this.database.transaction(async (tx) => {
      await this.findOne(replayId, tx);
      await tx.query(cancelSql, [replayId]);
      const replay = await this.findOne(replayId, tx);
      await this.record(tx, actor, 'cancel_replay', replay);
      return replay;
    });
  }

  private async count(statement: PreparedStatement, params: unknown[]): Promise<number | null> {
    const [row] = await this.database.query<{ total: number }>(statement, params);
    const total = row?.total ?? 0;
    return total > MAX_TOTAL ? null : total;
  }

  private async start(
    kind: ReplayDto['kind'],
    replay: { destinationId: string; filter: ReplayFilter; total: number | null; ratePerSecond?: number },
    actor: Actor,
  ): Promise<ReplayDto> {
    return this.database.transaction(async (tx) => {
      const id = uuidv7();
      await tx.query(insertSql, [
        id,
        kind,
        replay.destinationId,
        JSON.stringify(replay.filter),
        replay.ratePerSecond ?? DEFAULT_REPLAY_RATE,
        replay.total,
      ]);
      const started = await this.findOne(id, tx);
      await this.record(tx, actor, `replay_${kind}`, started);
      return started;
    });
  }

  private record(tx: Tx, actor: Actor, action: string, replay: ReplayDto): Promise<void> {
    const { destinationId: resourceId } = replay;
    return this.audit.record(tx, actor, { action, resource: 'destination', resourceId, after: replay });
  }

  private toReplay(row: ReplayRow): ReplayDto {
    const installed = row.type !== null && this.connectors.get(row.type) !== undefined;
    return {
      id: row.id,
      kind: row.kind,
      destinationId: row.destination_id,
      state: row.state,
      total: row.total,
      done: row.done,
      ratePerSecond: row.rate_per_second,
      waitsFor: destinationWaitsFor(row, installed),
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    };
  }
}

function idRange(from: string | undefined, to: string | undefined): { fromId: string; toId: string } {
  return {
    fromId: lowestId(from === undefined ? 0 : Date.parse(from)),
    // What comes while the replay runs is no part of it.
    toId: lowestId(Math.min(to === undefined ? Infinity : Date.parse(to), databaseNowMs() + 1)),
  };
}
