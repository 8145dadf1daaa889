import type { StorableEvent } from '../event-store';
import { FreshRows } from './fresh-rows';
import type { InboxRow } from './inbox-rows';

function anEvent(id: string, bytes = 10): StorableEvent {
  return { id, payload: Buffer.alloc(bytes) } as StorableEvent;
}

function aRow(id: string, events: number): InboxRow {
  return { id, events } as InboxRow;
}

describe('FreshRows', () => {
  it('answers the events of whole rows, each row in the order of ids', () => {
    const fresh = new FreshRows();
    fresh.keep('1', [anEvent('b'), anEvent('a')]);
    fresh.keep('2', [anEvent('c')]);
    expect(fresh.takeEvents([aRow('1', 2), aRow('2', 1)])?.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('answers a row once', () => {
    const fresh = new FreshRows();
    fresh.keep('1', [anEvent('a')]);
    fresh.takeEvents([aRow('1', 1)]);
    expect(fresh.takeEvents([aRow('1', 1)])).toBeUndefined();
  });

  it.each([
    ['a row has lost an event', [aRow('1', 1)]],
    ['a row is of another process', [aRow('1', 2), aRow('3', 1)]],
  ])('answers nothing when %s', (_, rows) => {
    const fresh = new FreshRows();
    fresh.keep('1', [anEvent('a'), anEvent('b')]);
    expect(fresh.takeEvents(rows)).toBeUndefined();
  });

  it('forgets the oldest rows when it has too many bytes', () => {
    const fresh = new FreshRows();
    for (const id of ['1', '2', '3']) fresh.keep(id, [anEvent(id, 400_000)]);
    expect(fresh.takeEvents([aRow('1', 1)])).toBeUndefined();
    expect(fresh.takeEvents([aRow('2', 1), aRow('3', 1)])).toHaveLength(2);
    fresh.keep('4', [anEvent('4', 2_000_000)]);
    expect(fresh.takeEvents([aRow('4', 1)])).toBeUndefined();
  });
});
