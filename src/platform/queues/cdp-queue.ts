import { Logger } from '@nestjs/common';
import { Queue, type QueueOptions } from 'bullmq';
import { backendOf } from './queue-backend';
import { QueueErrors } from './queue-errors';

/** Every BullMQ queue of the service: an outage is logged, sparingly, instead of printed raw to stderr. */
export class CdpQueue extends Queue {
  constructor(name: string, options?: QueueOptions) {
    const backend = backendOf(options?.connection);
    super(backend?.nameOf(name) ?? name, options);
    const errors = new QueueErrors(new Logger(`Queue ${name}`), backend?.outage);
    this.on('error', (error) => errors.log(error));
  }
}
