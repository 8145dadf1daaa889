import { Injectable } from '@nestjs/common';
import type { PartitionedTable } from '../../events/partitions/partition-plan';
import { Partitions } from '../../events/partitions/partitions';

/**
 * Counts per day are kept for good: a year is 13 partitions, few enough to look for a person in, and small enough for
 * most pages of the newest one to be in memory. What is left free in a page is for counts that grow on their day.
 */
export const dayPartitions: PartitionedTable = {
  kind: 'day-range',
  table: 'profile_day',
  days: 28,
  storage: 'fillfactor = 80',
};

/** Has the partitions of the counts per day made. */
@Injectable()
export class DayPartitions {
  constructor(partitions: Partitions) {
    partitions.register(dayPartitions);
  }
}
