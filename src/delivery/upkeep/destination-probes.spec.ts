import type { BatchProbes } from '../batches/batch-probes';
import type { Breakers } from '../breaker/breakers';
import type { DestinationHealth } from '../breaker/destination-health';
import type { DeliveryModes } from '../delivery-modes';
import type { Lanes } from '../lanes/lanes';
import { DestinationProbes } from './destination-probes';

describe('DestinationProbes', () => {
  it('begins no probe of a destination while one is under way', async () => {
    const ends: (() => void)[] = [];
    const lane = { probe: () => new Promise((resolve) => ends.push(() => resolve('down'))) };
    const health = { takeProbes: async (canSend: (id: string) => boolean) => ['a'].filter(canSend) };
    const probes = new DestinationProbes(
      health as unknown as DestinationHealth,
      { canGo: () => true, batched: () => undefined } as unknown as DeliveryModes,
      { laneOf: () => lane } as unknown as Lanes,
      {} as BatchProbes,
      {} as Breakers,
    );
    for (let look = 0; look < 3; look += 1) await probes.startDue();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await new Promise(setImmediate);
    await probes.startDue();
    expect(ends).toHaveLength(2);
  });
});
