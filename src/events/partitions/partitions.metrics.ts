import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics';
import { Partitions } from './partitions';

/** Whether retention does its work. Each worker looks for itself, so take the maximum, not the sum. */
@Injectable()
export class PartitionMetrics {
  constructor(metrics: Metrics, partitions: Partitions) {
    metrics.gauge({
      name: 'partitions_kept',
      help: 'Partitions past retention that are kept for what is unfinished in them.',
      collect() {
        this.set(partitions.keptCount);
      },
    });
  }
}
