import { Inject, Injectable } from '@nestjs/common';
import type { UnfinishedWork } from '../events/drop-partitions';
import { Partitions } from '../events/partitions';
import { Config } from '../platform/config/config';

/** Days that one partition of the ledger holds. */
const PARTITION_DAYS = 1;

const pendingDeliveries: UnfinishedWork = {
  what: 'pending deliveries',
  sql: ({ name }) => `select from ${name} where state = 'pending'`,
};

/** Their events are read for each try; a notice has its text with it. */
const eventsToDeliver: UnfinishedWork = {
  what: 'events of pending deliveries',
  sql: ({ fromId, toId }) =>
    `select from delivery where state = 'pending' and event_id >= '${fromId}' and event_id < '${toId}'`,
};

/** Those that were pending when their partition was due have ended only now. */
const recentDeadLetters = (days: number): UnfinishedWork => ({
  what: `dead letters of the last ${days} days`,
  sql: ({ name }) =>
    `select from ${name} where state = 'dead' and updated_at > now() - make_interval(days => ${days})`,
});

/** Has the partitions of the ledger and of the log of tries made and dropped. */
@Injectable()
export class DeliveryTables {
  constructor(partitions: Partitions, @Inject(Config) config: Config) {
    const retentionDays = config.delivery.retentionDays;
    for (const table of ['delivery', 'delivery_attempt']) {
      partitions.register({ kind: 'id-range', table, days: PARTITION_DAYS, retentionDays });
    }
    partitions.keepWhile('delivery', pendingDeliveries);
    partitions.keepWhile('delivery', recentDeadLetters(retentionDays));
    partitions.keepWhile('event', eventsToDeliver);
  }
}
