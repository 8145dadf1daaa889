import type { Dto } from '../../api/client';
import { lookEveryMs } from './look-every';

type Health = Partial<Dto['DestinationHealthDto']>;

const stats = (pending: number, health: Health): Dto['DestinationStatsDto'] =>
  ({ pending, health: { reason: null, ...health } }) as Dto['DestinationStatsDto'];

describe('how often a destination is looked at', () => {
  it.each([
    ['something is being sent', 3, { state: 'healthy' }, 1_000],
    ['it is sent, though many tries fail', 3, { state: 'degraded', reason: 'many_failures' }, 1_000],
    ['nothing is pending', 0, { state: 'healthy' }, 5_000],
    ['much is pending', 1_000, { state: 'healthy' }, 5_000],
    ['it is paused', 3, { state: 'paused', reason: 'by_operator' }, 5_000],
    ['it is down', 3, { state: 'degraded', reason: 'timeout' }, 5_000],
    ['it is blocked', 3, { state: 'degraded', reason: 'connector_not_installed' }, 5_000],
  ] as const)('where %s', (_, pending, health, everyMs) => {
    expect(lookEveryMs(stats(pending, health))).toBe(everyMs);
  });

  it('where nothing is known yet', () => {
    expect(lookEveryMs(undefined)).toBe(5_000);
  });
});
