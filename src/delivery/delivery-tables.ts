import { Inject, Injectable } from '@nestjs/common';
import { Partitions } from '../events/partitions';
import { Config } from '../platform/config/config';

/** Days that one partition of the ledger holds. */
const PARTITION_DAYS = 1;

/** Has the partitions of the ledger and of the log of tries made and dropped. */
@Injectable()
export class DeliveryTables {
  constructor(partitions: Partitions, @Inject(Config) config: Config) {
    for (const table of ['delivery', 'delivery_attempt']) {
      const retentionDays = config.env.CDP_DELIVERY_RETENTION_DAYS;
      partitions.register({ kind: 'id-range', table, days: PARTITION_DAYS, retentionDays });
    }
  }
}
