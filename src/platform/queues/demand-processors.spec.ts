import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, Module, type Type } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { demandOneProcessorEach } from './demand-processors';
import { QUEUE_NAMES } from './job';

@Injectable()
class NoProcessor {}

function aProcessor(queue: string, name = `${queue} processor`): Type {
  @Processor(queue)
  class SomeProcessor extends WorkerHost {
    async process(): Promise<void> {}
  }
  Object.defineProperty(SomeProcessor, 'name', { value: name });
  return SomeProcessor;
}

/** Boots a service with these processors, as the workers do. */
async function boot(processors: readonly Type[]): Promise<void> {
  @Module({ imports: [DiscoveryModule], providers: [NoProcessor, ...processors] })
  class Workers {
    constructor(discovery: DiscoveryService) {
      demandOneProcessorEach(discovery);
    }
  }
  const app = await NestFactory.createApplicationContext(Workers, { logger: false, abortOnError: false });
  await app.close();
}

const all = QUEUE_NAMES.map((queue) => aProcessor(queue));

describe('the boot of workers', () => {
  it('goes on when each queue has one processor', async () => {
    await expect(boot(all)).resolves.toBeUndefined();
  });

  it('fails when a queue has none', async () => {
    await expect(boot(all.slice(1))).rejects.toThrow('the queue events has no processor');
  });

  it('fails when a queue has two', async () => {
    await expect(boot([...all, aProcessor('events', 'SecondProcessor')])).rejects.toThrow(
      'the queue events has events processor and SecondProcessor',
    );
  });

  it('fails when a processor works on a queue that does not exist', async () => {
    await expect(boot([...all, aProcessor('evnts')])).rejects.toThrow(
      'there is no queue evnts, which evnts processor works on',
    );
  });
});
