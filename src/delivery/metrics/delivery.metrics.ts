import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics';
import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';

/** How tries end: `retry` means that there will be another one. */
const RESULTS = { delivered: 'delivered', pending: 'retry', dead: 'dead', cancelled: 'cancelled' } as const;

/** Tries of deliveries, by result. By destination they are in the statistics of the API: labels must stay few. */
@Injectable()
export class DeliveryMetrics {
  private readonly tries = this.metrics.counter({
    name: 'delivery_tries_total',
    help: 'Tries of deliveries, by result; dead are all deliveries that became dead letters, with or without a try.',
    labelNames: ['result'],
  });
  private readonly seconds = this.metrics.histogram({
    name: 'delivery_try_seconds',
    help: 'Time of one try, from the first byte sent to the answer or the failure.',
    labelNames: ['result'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  });

  constructor(private readonly metrics: Metrics) {
    for (const result of Object.values(RESULTS)) this.tries.inc({ result }, 0);
  }

  /** What is dead is counted by {@link dead}. */
  tried({ state, totalMs }: DeliveryOutcome, times: number): void {
    const result = RESULTS[state];
    if (state !== 'dead') this.tries.inc({ result }, times);
    for (let n = 0; n < times; n++) this.seconds.observe({ result }, totalMs / 1000);
  }

  dead(): void {
    this.tries.inc({ result: RESULTS.dead }, 1);
  }
}
