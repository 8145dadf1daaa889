import { Injectable } from '@nestjs/common';
import type { UnfinishedWork } from '../../events/partitions/drop-partitions';
import { Partitions } from '../../events/partitions/partitions';
import { Config } from '../../platform/config/config';

/** Days that one partition of the ledger holds. */
const PARTITION_DAYS = 1;

/** Deliveries that keep their partition, and those of their tries. */
interface KeptDeliveries {
  readonly what: string;
  /** On a row of `delivery`. */
  readonly condition: string;
}

const pendingDeliveries: KeptDeliveries = { what: 'pending deliveries', condition: `state = 'pending'` };

/** Their events are read for each try; a notice has its text with it. */
const eventsToDeliver: UnfinishedWork = {
  what: 'events of pending deliveries',
  sql: ({ fromId, toId }) =>
    `select from delivery where state = 'pending' and event_id >= '${fromId}' and event_id < '${toId}'`,
};

/** Those that were pending when their partition was due have ended only now. */
const recentDeadLetters = (days: number): KeptDeliveries => ({
  what: `dead letters of the last ${days} days`,
  condition: `state = 'dead' and updated_at > now() - make_interval(days => ${days})`,
});

const deliveriesIn = ({ what, condition }: KeptDeliveries): UnfinishedWork => ({
  what,
  sql: ({ name }) => `select from ${name} where ${condition}`,
});

/** The ids of tries are younger than that of their delivery. */
const triesOf = ({ what, condition }: KeptDeliveries): UnfinishedWork => ({
  what: `tries of ${what}`,
  sql: ({ name, toId }) => `
    select from delivery
    where ${condition} and attempts > 0 and id < '${toId}' and exists (select from ${name} where delivery_id = delivery.id)`,
});

/** Has the partitions of the ledger and of the log of tries made and dropped. */
@Injectable()
export class DeliveryTables {
  constructor(partitions: Partitions, config: Config) {
    const retentionDays = config.delivery.retentionDays;
    for (const table of ['delivery', 'delivery_attempt']) {
      partitions.register({ kind: 'id-range', table, days: PARTITION_DAYS, retentionDays });
    }
    for (const kept of [pendingDeliveries, recentDeadLetters(retentionDays)]) {
      partitions.keepWhile('delivery', deliveriesIn(kept));
      partitions.keepWhile('delivery_attempt', triesOf(kept));
    }
    partitions.keepWhile('event', eventsToDeliver);
  }
}
