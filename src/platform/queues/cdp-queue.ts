import { Logger } from '@nestjs/common';
import { Queue, type QueueOptions } from 'bullmq';
import { backendOf } from './queue-backend';
import { ThrottledWarning } from './throttled-warning';

/** Every BullMQ queue of the service: an outage is logged, sparingly, instead of printed raw to stderr. */
export class CdpQueue extends Queue {
  constructor(name: string, options?: QueueOptions) {
    super(backendOf(options?.connection)?.nameOf(name) ?? name, options);
    const warning = new ThrottledWarning(new Logger(`Queue ${name}`));
    this.on('error', (error) => warning.warn(String(error)));
  }
}
