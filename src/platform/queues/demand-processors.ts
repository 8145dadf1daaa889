import { WorkerHost } from '@nestjs/bullmq';
import type { DiscoveryService } from '@nestjs/core';
import { QUEUE_NAMES } from './job';

/** Where `@Processor` of @nestjs/bullmq keeps the name of its queue; the package does not export it. */
const PROCESSOR_METADATA = 'bullmq:processor_metadata';

/**
 * Makes sure that each queue has exactly one processor: jobs without one would wait for ever, and two would share them
 * by chance.
 * @throws Error that names each queue that has none or several
 */
export function demandOneProcessorEach(discovery: DiscoveryService): void {
  const processors = discovery.getProviders().flatMap(({ metatype }) => {
    if (typeof metatype !== 'function' || !(metatype.prototype instanceof WorkerHost)) return [];
    return [{ name: metatype.name, queue: queueOf(metatype) }];
  });
  const wrong = [...new Set([...QUEUE_NAMES, ...processors.map(({ queue }) => queue)])].flatMap((queue) => {
    const names = processors.filter((processor) => processor.queue === queue).map(({ name }) => name);
    if (!isKnown(queue)) return [`there is no queue ${queue}, which ${names.join(', ')} works on`];
    if (names.length === 1) return [];
    return [`the queue ${queue} has ${names.length === 0 ? 'no processor' : names.join(' and ')}`];
  });
  if (wrong.length > 0) throw new Error(`Each queue needs exactly one processor: ${wrong.join('; ')}.`);
}

function isKnown(queue: string): boolean {
  return QUEUE_NAMES.some((name) => name === queue);
}

function queueOf(processor: object): string {
  const options = Reflect.getMetadata(PROCESSOR_METADATA, processor) as { name?: string } | undefined;
  return options?.name ?? 'without a name';
}
