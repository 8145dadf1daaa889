import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { replayDeadDelivery } from '../ledger/replay-dead';
import { DeadLetterNotFoundError, DeliveryNotFoundError, DeliveryOverError } from './delivery-problems';

// What a worker is at right now is tried right now.
const hurrySql = `
  update delivery set due_at = now()
  where id = $1 and state = 'pending' and attempts > 0 and (leased_until is null or leased_until < now())`;
const discardSql = `
  update delivery set state = 'cancelled', updated_at = now()
  where id = $1 and state = 'dead' returning id`;
const discardManySql = `
  update delivery set state = 'cancelled', updated_at = now()
  where state = 'dead' and destination_id = $1 and ($2::text is null or error_class = $2)`;

/** What people may do to single deliveries. The sweeper sees what is due within a second. */
@Injectable()
export class DeliveryActions {
  private readonly maxAttempts: number;

  constructor(
    private readonly database: Database,
    @Inject(Config) config: Config,
  ) {
    this.maxAttempts = config.env.CDP_DELIVERY_MAX_ATTEMPTS;
  }

  /** Tries a pending delivery now, or a dead one again. @throws DeliveryNotFoundError, DeliveryOverError */
  async retry(deliveryId: string): Promise<void> {
    const state = await this.stateOf(deliveryId);
    if (state === undefined) throw new DeliveryNotFoundError(deliveryId);
    if (state === 'dead') await replayDeadDelivery(deliveryId, this.maxAttempts, this.database);
    else if (state === 'pending') await this.database.query(hurrySql, [deliveryId]);
    else throw new DeliveryOverError(deliveryId, state);
  }

  /** @throws DeadLetterNotFoundError */
  async replay(deliveryId: string): Promise<void> {
    const replayed =
      isUUID(deliveryId) && (await replayDeadDelivery(deliveryId, this.maxAttempts, this.database));
    if (!replayed) throw new DeadLetterNotFoundError(deliveryId);
  }

  /** @throws DeadLetterNotFoundError */
  async discard(deliveryId: string): Promise<void> {
    const discarded = isUUID(deliveryId) ? await this.database.query(discardSql, [deliveryId]) : [];
    if (discarded.length === 0) throw new DeadLetterNotFoundError(deliveryId);
  }

  /** Discards all dead letters of a destination, or those with one reason. */
  async discardMany(destinationId: string, reason: string | undefined): Promise<void> {
    await this.database.query(discardManySql, [destinationId, reason ?? null]);
  }

  private async stateOf(deliveryId: string): Promise<string | undefined> {
    if (!isUUID(deliveryId)) return undefined;
    const [row] = await this.database.query<{ state: string }>('select state from delivery where id = $1', [
      deliveryId,
    ]);
    return row?.state;
  }
}
