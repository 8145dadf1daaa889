import { anyEvent, asStorable } from '../../../test/support/any-event';
import type { StorableEvent } from '../../events/event-store';
import { StoreRoom } from './store-room';

const small = asStorable(anyEvent());

function events(count: number, payloadBytes?: number): StorableEvent[] {
  const payload = payloadBytes === undefined ? small.payload : Buffer.alloc(payloadBytes, 'x');
  return Array.from({ length: count }, () => ({ ...small, payload }));
}

describe('the room for events that wait to be stored', () => {
  it.each([
    ['events', events(2_000)],
    ['bytes', events(1, 4_000_000)],
  ])('refuses more %s than it may hold, and takes some again once they are stored', async (_what, given) => {
    const room = new StoreRoom();
    const waiting: (() => void)[] = [];
    const store = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
    const held: Promise<void>[] = [];
    while (waiting.length === held.length) held.push(room.reserve(given, store));
    expect(room.isFull()).toBe(true);
    await expect(held.pop()).rejects.toMatchObject({
      status: 429,
      code: 'overloaded',
      retryAfterSeconds: 1,
    });
    for (const resolve of waiting) resolve();
    await Promise.all(held);
    expect(room.isFull()).toBe(false);
    expect(await room.reserve(given, async () => 'stored')).toBe('stored');
  });

  it('has some for a request alone, however large, and for others when it has failed', async () => {
    const room = new StoreRoom();
    const failing = room.reserve(events(30_000), () => Promise.reject(new Error('away')));
    await expect(room.reserve(events(1), async () => undefined)).rejects.toMatchObject({ status: 429 });
    expect(await room.reserve([], async () => 'none')).toBe('none');
    await expect(failing).rejects.toThrow('away');
    expect(await room.reserve(events(1), async () => 'stored')).toBe('stored');
  });

  it('holds so many bodies at once whose senders are being found, beside the events', async () => {
    const room = new StoreRoom();
    const found: (() => void)[] = [];
    const find = (): Promise<void> => new Promise((resolve) => found.push(resolve));
    const held: Promise<void>[] = [];
    while (found.length === held.length) held.push(room.reserveForBody(Buffer.alloc(500_000), find));
    expect(found).toHaveLength(8);
    await expect(held.pop()).rejects.toMatchObject({ status: 429, code: 'overloaded' });
    expect(await room.reserve(events(1), async () => 'stored')).toBe('stored');
    for (const resolve of found) resolve();
    await Promise.all(held);
    const large = room.reserveForBody(Buffer.alloc(10_000_000), () => Promise.reject(new Error('away')));
    await expect(large).rejects.toThrow('away');
    expect(await room.reserveForBody(Buffer.alloc(1), async () => 'found')).toBe('found');
  });
});
