import { setTimeout as delay } from 'node:timers/promises';
import type { ClaimedBatch } from '../ledger/batches/claim-batch';
import type { BatchTryOptions } from './batch-attempts';
import { BatchRunner } from './batch-runner';

const BATCH = { id: 'b-1', destinationId: 'd-1', bytes: 10 } as ClaimedBatch;

/** A runner whose process has no time for tries when it stops, and what its tries are told. */
function aRunner(claimed: Promise<ClaimedBatch>): { runner: BatchRunner; tries: BatchTryOptions[] } {
  const tries: BatchTryOptions[] = [];
  const to = { destination: { id: 'd-1', enabled: true }, isRequest: true };
  const [claims, destinations, modes, breakers, attempts, config] = [
    { claimBatch: () => claimed, giveBackBatch: async () => undefined },
    { refresh: async () => undefined },
    { batched: () => to },
    { isOpen: () => false },
    {
      make: async (_batch: unknown, _to: unknown, options: BatchTryOptions) => {
        tries.push(options);
        return 'undone';
      },
    },
    { shutdown: { triesMs: 0 } },
  ] as unknown as ConstructorParameters<typeof BatchRunner>;
  return { runner: new BatchRunner(claims, destinations, modes, breakers, attempts, config), tries };
}

describe('the runner of batches', () => {
  it('cuts off what begins after the time for tries is over, too', async () => {
    let claim: (batch: ClaimedBatch) => void = () => undefined;
    const { runner, tries } = aRunner(new Promise((resolve) => (claim = resolve)));
    const run = runner.run({ batchId: 'b-1', destinationId: 'd-1' });
    const stopped = runner.stop();
    await delay(0); // Comes after the runner's own: the time is over, and the claim is still on its way.
    claim(BATCH);
    await Promise.all([run, stopped]);
    expect(tries.map(({ cancel }) => cancel.aborted)).toEqual([true]);
  });

  it('lets a try go on while the process runs', async () => {
    const { runner, tries } = aRunner(Promise.resolve(BATCH));
    await runner.run({ batchId: 'b-1', destinationId: 'd-1' });
    expect(tries.map(({ cancel }) => cancel.aborted)).toEqual([false]);
  });
});
