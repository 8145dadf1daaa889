import type { StorableEvent } from '../event-store';
import { FreshRows } from './fresh-rows';

function anEvent(id: string, bytes = 10): StorableEvent {
  return { id, payload: Buffer.alloc(bytes) } as StorableEvent;
}

describe('FreshRows', () => {
  it('answers the events of whole rows, each row in the order of ids', () => {
    const fresh = new FreshRows();
    fresh.keep('1', [anEvent('b'), anEvent('a')]);
    fresh.keep('2', [anEvent('c')]);
    expect(fresh.takeEvents(['2', '1'])?.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('answers a row once', () => {
    const fresh = new FreshRows();
    fresh.keep('1', [anEvent('a')]);
    fresh.takeEvents(['1']);
    expect(fresh.takeEvents(['1'])).toBeUndefined();
  });

  it('answers nothing when a row is of another process', () => {
    const fresh = new FreshRows();
    fresh.keep('1', [anEvent('a'), anEvent('b')]);
    expect(fresh.takeEvents(['1', '3'])).toBeUndefined();
  });

  it('forgets the oldest rows when it has too many bytes', () => {
    const fresh = new FreshRows();
    for (const id of ['1', '2', '3']) fresh.keep(id, [anEvent(id, 400_000)]);
    expect(fresh.takeEvents(['1'])).toBeUndefined();
    expect(fresh.takeEvents(['2', '3'])).toHaveLength(2);
    fresh.keep('4', [anEvent('4', 2_000_000)]);
    expect(fresh.takeEvents(['4'])).toBeUndefined();
  });
});
