import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ActiveDestination } from '../../destinations/active-destinations';
import { BackgroundLoop } from '../../platform/background/background-loop';
import { Database } from '../../platform/database/database';
import { GivenUp } from '../dead-letters/given-up';
import { DeliveryModes } from '../delivery-modes';
import { DeliveryWork } from '../lanes/delivery-work';
import { type EndedWait, endWaits } from '../ledger/ending/end-waits';
import { freeTurns } from '../ledger/waiting/free-turns';
import type { GivenUpDelivery } from '../ledger/ending/given-up-delivery';
import { PendingFrom } from '../ledger/pending-from';

const INTERVAL_MS = 2_000;
/** A round may take a fiftieth of the time. */
const PAUSE_PER_ROUND = 50;
/** One statement frees this many deliveries at most. */
const GROUP = 5_000;

/** Ends waits of destinations with an order that have become too long, and the order of those that have it no more. */
@Injectable()
export class OrderUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OrderUpkeep.name);
  private tookMs = 0;
  private readonly loop = new BackgroundLoop(
    () => this.tidy(),
    () => Math.max(INTERVAL_MS, this.tookMs * PAUSE_PER_ROUND),
    (error) => this.logger.warn(`The order of deliveries could not be kept up: ${String(error)}`),
  );

  constructor(
    private readonly database: Database,
    private readonly pendingFrom: PendingFrom,
    private readonly modes: DeliveryModes,
    private readonly givenUp: GivenUp,
    private readonly work: DeliveryWork,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): void {
    void this.loop.stop();
  }

  /** One round. @throws when PostgreSQL is away. */
  async tidy(): Promise<void> {
    const start = performance.now();
    for (const destination of this.modes.allOrdered()) await this.endWaits(destination);
    for (const { id } of this.modes.onceOrdered()) await this.free(id);
    this.tookMs = performance.now() - start;
  }

  private async endWaits({ id, enabled, order }: ActiveDestination): Promise<void> {
    if (!enabled || order === null) return;
    const ended = await endWaits(id, order, this.pendingFrom.id, this.database);
    if (ended.length === 0) return;
    if (order.afterwards === 'dead_letter') this.givenUp.follow(ended.map(withoutPerson), 'expired');
    this.work.lookAt(
      id,
      ended.map(({ person }) => person),
    );
  }

  private async free(destinationId: string): Promise<void> {
    while (!this.loop.stopping) {
      const freed = await freeTurns(destinationId, GROUP, this.pendingFrom.id, this.database);
      if (freed < GROUP) return;
    }
  }
}

function withoutPerson({ deliveryId, destinationId, attempt, reason }: EndedWait): GivenUpDelivery {
  return { deliveryId, destinationId, attempt, reason };
}
