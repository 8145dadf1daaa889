import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { ConnectorRegistry } from '../../connectors/registry';
import type { Subject } from '../../events/customer-event';
import { lowestId } from '../../events/partitions/partition-plan';
import { userIdOf, userSubject } from '../../events/subject';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { ReplicaDatabase } from '../../platform/database/replica-database';
import { DEAD_REASON, ERROR_CLASS, EVENT_NAME } from '../ledger/read-dead-letters';
import { roundMs } from '../stats/round-ms';
import { DeliveryNotFoundError } from './delivery-problems';
import type {
  DeliveryAttemptDto,
  DeliveryDto,
  DeliveryState,
  DeliveryWithAttemptsDto,
} from './dto/delivery.dto';
import { WAITING_COLUMNS, WAITING_JOINS, type WaitingRow, waitsFor } from './what-it-waits-for';

/** What to list, newest first. */
export interface DeliveryFilter {
  readonly destinationId?: string;
  readonly state?: DeliveryState;
  readonly type?: string;
  readonly userId?: string;
  readonly reason?: string;
  readonly from?: string;
  readonly to?: string;
  /** Ids below this one. */
  readonly cursor?: string;
}

interface DeliveryRow {
  readonly id: string;
  readonly destination_id: string;
  readonly state: DeliveryState;
  readonly event_id: string;
  readonly event_type: string;
  readonly event_name: string | null;
  readonly subject: Subject;
  readonly attempts: number;
  readonly error_class: string | null;
  readonly reason: string | null;
  readonly created_ms: number;
  readonly updated_at: Date;
}

interface WaitingDeliveryRow extends DeliveryRow, Omit<WaitingRow, 'state'> {
  /** Of the destination. */
  readonly type: string | null;
}

interface AttemptRow {
  readonly attempt: number;
  readonly started_at: Date;
  readonly status: number | null;
  readonly error_class: string | null;
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly tls_ms: number | null;
  readonly first_byte_ms: number | null;
  readonly total_ms: number;
  readonly answer: string | null;
  readonly next_try_at: Date | null;
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

// The first 48 bits of a UUIDv7 are its time in milliseconds.
const COLUMNS = `
  d.id, d.destination_id, d.state, d.event_id, d.event_type, ${EVENT_NAME} as event_name, d.subject,
  d.attempts, ${ERROR_CLASS} as error_class, ${DEAD_REASON} as reason,
  ('x' || lpad(left(replace(d.id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint::float8 as created_ms, d.updated_at`;
const WITH_EVENT = `
  left join lateral (
    select event.name from event
    where event.subject = d.subject and event."timestamp" = d.event_timestamp and event.id = d.event_id limit 1
  ) e on true`;

/** Reads the ledger for people. */
@Injectable()
export class DeliveryReader {
  constructor(
    private readonly database: Database,
    private readonly replica: ReplicaDatabase,
    private readonly connectors: ConnectorRegistry,
    @Inject(Config) private readonly config: Config,
  ) {}

  /** At most `limit` deliveries, newest first. */
  async find(filter: DeliveryFilter, limit: number): Promise<DeliveryDto[]> {
    const { from, to, cursor } = filter;
    const params: unknown[] = [
      from === undefined ? LOWEST_ID : lowestId(Date.parse(from)),
      upperId(to, cursor),
    ];
    const conditions = ['d.id >= $1', 'd.id < $2'];
    const add = (condition: string, value: string | undefined): void => {
      if (value === undefined) return;
      params.push(value);
      conditions.push(`${condition} $${params.length}`);
    };
    add('d.destination_id =', filter.destinationId);
    add('d.event_type =', filter.type);
    add('d.subject =', filter.userId === undefined ? undefined : userSubject(filter.userId));
    add('d.error_class =', filter.reason);
    // Not a parameter: an index is made for exactly this state, and the planner has to see it.
    if (filter.state !== undefined) conditions.push(`d.state = '${filter.state}'`);
    params.push(limit);
    const rows = await this.replica.query<DeliveryRow & Record<string, unknown>>(
      `select ${COLUMNS} from (
         select * from delivery d where ${conditions.join(' and ')} order by d.id desc limit $${params.length}
       ) d ${WITH_EVENT} order by d.id desc`,
      params,
    );
    return rows.map(toDelivery);
  }

  /** @throws DeliveryNotFoundError */
  async findOne(deliveryId: string): Promise<DeliveryWithAttemptsDto> {
    if (!isUUID(deliveryId)) throw new DeliveryNotFoundError(deliveryId);
    const [row] = await this.database.query<WaitingDeliveryRow>(
      `select ${COLUMNS}, ${WAITING_COLUMNS}, t.type from delivery d ${WITH_EVENT} ${WAITING_JOINS} where d.id = $2`,
      [this.config.delivery.graceMs, deliveryId],
    );
    if (row === undefined) throw new DeliveryNotFoundError(deliveryId);
    // The ids of tries are younger than that of their delivery: older partitions are left out.
    const attempts = await this.database.query<AttemptRow & Record<string, unknown>>(
      'select * from delivery_attempt where delivery_id = $1 and id > $1 order by id',
      [deliveryId],
    );
    const installed = row.type !== null && this.connectors.get(row.type) !== undefined;
    return Object.assign(toDelivery(row), {
      waitsFor: waitsFor(row, installed),
      nextTryAt: row.next_try_ms === null ? null : new Date(row.next_try_ms).toISOString(),
      tries: attempts.map(toAttempt),
    });
  }
}

function upperId(to: string | undefined, cursor: string | undefined): string {
  const end = to === undefined ? HIGHEST_ID : lowestId(Date.parse(to));
  return cursor !== undefined && cursor < end ? cursor : end;
}

function toDelivery(row: DeliveryRow): DeliveryDto {
  return {
    id: row.id,
    destinationId: row.destination_id,
    state: row.state,
    eventId: row.event_id,
    eventType: row.event_type,
    eventName: row.event_name,
    userId: userIdOf(row.subject) ?? null,
    anonymousId: row.subject.startsWith('a:') ? row.subject.slice(2) : null,
    attempts: row.attempts,
    errorClass: row.error_class,
    reason: row.reason,
    createdAt: new Date(row.created_ms).toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function toAttempt(row: AttemptRow): DeliveryAttemptDto {
  return {
    attempt: row.attempt,
    startedAt: row.started_at.toISOString(),
    status: row.status,
    errorClass: row.error_class,
    latency: {
      dnsMs: roundMs(row.dns_ms),
      connectMs: roundMs(row.connect_ms),
      tlsMs: roundMs(row.tls_ms),
      firstByteMs: roundMs(row.first_byte_ms),
      totalMs: roundMs(row.total_ms),
    },
    answer: row.answer,
    nextTryAt: row.next_try_at?.toISOString() ?? null,
  };
}
