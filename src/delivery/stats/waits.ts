import { Injectable } from '@nestjs/common';
import type { Destination } from '../../destinations/destination.entity';
import { DestinationRepository } from '../../destinations/destination.repository';
import { areSecretsReadable } from '../../destinations/open-secrets';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { SecretBox } from '../../platform/secrets/secret-box';
import type { Delivery } from '../ledger/delivery.entity';
import { type HealthRow, readHealth } from './health-of';
import { firstOfPersonSql } from '../ledger/claiming/first-of-person';
import { isStill, isStillPending } from '../ledger/found-by-id';
import { PendingFrom } from '../ledger/pending-from';
import { OBSTACLES, Obstacles } from '../presence/obstacles';
import { prunedStatement } from '../ledger/pruned-statement';

/** Why nothing at all is sent to a destination at this moment. */
export const DESTINATION_WAITS_FOR = [
  'destination_paused',
  'destination_disabled',
  'destination_down',
  ...OBSTACLES,
] as const;
export type DestinationWaitsFor = (typeof DESTINATION_WAITS_FOR)[number];

/** Why a pending delivery is not sent at this moment. */
export const WAITS_FOR = [
  ...DESTINATION_WAITS_FOR,
  'batch',
  'earlier_delivery',
  'earlier_events',
  'next_try',
  'rate_limit',
] as const;
export type WaitsFor = (typeof WAITS_FOR)[number];

/** What a delivery waits for, and when its next try is planned for. */
interface DeliveryWait {
  /** Null when it is over or about to be sent. */
  readonly waitsFor: WaitsFor | null;
  /** ISO 8601; null when that is not in the future. */
  readonly nextTryAt: string | null;
  /** The delivery of the same person that has to end first, in a destination with an order. */
  readonly waitsBehind: string | null;
}

interface WaitRow {
  readonly isLeased: boolean;
  readonly isInBatch: boolean;
  /** And that is being sent. */
  readonly isSentInBatch: boolean;
  /** In a destination with an order, where it may not be sent yet. */
  readonly isInOrder: boolean;
  readonly waitsBehind: string | null;
  readonly nextTryMs: number | null;
  readonly hasPermits: boolean;
}

/** Of the delivery $1; a due time includes a grace of $2 milliseconds, and its destination gets $3 a second. */
const readWaitSql = prunedStatement(
  'read_wait',
  (fromId) => `
  select coalesce(d.leased_until > now(), false) as "isLeased", d.due_at = 'infinity' and d.person is null as "isInBatch",
    coalesce(b.leased_by is not null and b.due_at > now(), false) as "isSentInBatch",
    d.due_at = 'infinity' and d.person is not null as "isInOrder", f.id as "waitsBehind",
    case when isfinite(d.due_at) and d.due_at > now() + $2::float8 * interval '1 millisecond'
      then extract(epoch from d.due_at)::float8 * 1000 - $2
      when b.due_at > now() and b.leased_by is null then extract(epoch from b.due_at)::float8 * 1000
      end as "nextTryMs",
    $3::float8 is null
      or coalesce(r.tokens + $3 * extract(epoch from now() - r.at)::float8 >= 1, true) as "hasPermits"
  from delivery d
  left join destination_rate r on r.destination_id = d.destination_id
  left join lateral (
    select leased_by, due_at from delivery_batch where id = d.batch_id and ${isStill('closed')} limit 1
  ) b on d.due_at = 'infinity'
  left join lateral (
    ${firstOfPersonSql({ destinationId: 'd.destination_id', person: 'd.person', fromId })}
  ) f on d.passed_at is null and f.id <> d.id
  where d.id = $1 and ${isStillPending('d.state')}`,
);

const NOT_WAITING: DeliveryWait = { waitsFor: null, nextTryAt: null, waitsBehind: null };

/** Says why deliveries are not sent at this moment. */
@Injectable()
export class Waits {
  private readonly graceMs: number;

  constructor(
    private readonly database: Database,
    private readonly destinations: DestinationRepository,
    private readonly obstacles: Obstacles,
    private readonly secretBox: SecretBox,
    private readonly pendingFrom: PendingFrom,
    config: Config,
  ) {
    this.graceMs = config.delivery.graceMs;
  }

  async of({ id, state, destinationId }: Delivery): Promise<DeliveryWait> {
    if (state !== 'pending') return NOT_WAITING;
    const destination = await this.destinations.findOne(destinationId);
    const perSecond = destination?.rateLimit?.perSecond ?? null;
    const [row] = await this.database.query<WaitRow>(readWaitSql(this.pendingFrom.id), [
      id,
      this.graceMs,
      perSecond,
    ]);
    if (row === undefined) return NOT_WAITING;
    const { waitsBehind } = row;
    const nextTryAt = row.nextTryMs === null ? null : new Date(row.nextTryMs).toISOString();
    if (destination === undefined) return { waitsFor: null, nextTryAt, waitsBehind };
    const all = (await this.waitsOf([destination])).get(destinationId) ?? null;
    return { waitsFor: all ?? reasonOf(row), nextTryAt, waitsBehind };
  }

  /** What everything for each of these destinations waits for; null where it is sent. Deleted ones are left out. */
  async ofDestinations(destinationIds: readonly string[]): Promise<Map<string, DestinationWaitsFor | null>> {
    return this.waitsOf(await this.destinations.findMany(destinationIds));
  }

  private async waitsOf(
    destinations: readonly Destination[],
  ): Promise<Map<string, DestinationWaitsFor | null>> {
    const ids = destinations.map(({ id }) => id);
    const health = await readHealth(ids, this.database);
    const sealed = destinations.map((destination) => {
      const secretsReadable = areSecretsReadable(destination, this.secretBox);
      return { id: destination.id, type: destination.type, secretsReadable };
    });
    const obstacles = await this.obstacles.read(sealed, this.database);
    return new Map(
      destinations.map((destination) => {
        const { id } = destination;
        return [id, obstacles.get(id) ?? waitOf(destination, health.get(id))];
      }),
    );
  }
}

function waitOf({ enabled }: Destination, health: HealthRow | undefined): DestinationWaitsFor | null {
  if (!enabled) return health?.disabled_at ? 'destination_disabled' : 'destination_paused';
  return health?.breaker === 'open' ? 'destination_down' : null;
}

function reasonOf(row: WaitRow): WaitsFor | null {
  if (row.isInBatch) return reasonInBatch(row);
  if (row.isInOrder) return row.waitsBehind === null ? 'earlier_events' : 'earlier_delivery';
  if (row.isLeased) return null;
  if (row.nextTryMs !== null) return 'next_try';
  return row.hasPermits ? null : 'rate_limit';
}

function reasonInBatch({ isSentInBatch, nextTryMs }: WaitRow): WaitsFor | null {
  if (isSentInBatch) return null;
  return nextTryMs === null ? 'batch' : 'next_try';
}
