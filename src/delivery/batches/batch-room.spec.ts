import { BatchRoom, type RoomTaker } from './batch-room';

const MIB = 1024 * 1024;

describe('the room for batches', () => {
  let room: BatchRoom;
  beforeEach(() => (room = new BatchRoom()));
  const enter = (isRequest: boolean, mib: number, destinationId = 'one'): RoomTaker | undefined => {
    const taker = { isRequest, destinationId, bytes: mib * MIB };
    return room.enter(taker) ? taker : undefined;
  };
  const entered = (takers: (RoomTaker | undefined)[]): boolean[] =>
    takers.map((taker) => taker !== undefined);

  it('has six large uploads at a time, and requests beside them', () => {
    const others = ['one', 'one', 'one', 'other', 'other', 'third', 'fourth'];
    expect(entered(others.map((id) => enter(false, 64, id)))).toEqual([
      ...others.slice(1).map(() => true),
      false,
    ]);
    expect(room.hasRoom({ isRequest: false, destinationId: 'fourth' })).toBe(false);
    expect(room.hasRoom({ isRequest: true, destinationId: 'fourth' })).toBe(true);
    expect(enter(true, 8)).toBeDefined();
  });

  it('has small uploads of twenty destinations that hang, and of the next one', () => {
    for (let id = 0; id < 20; id++) {
      const uploads = Array.from({ length: 5 }, () => enter(false, 0.01, String(id)));
      expect(entered(uploads).filter(Boolean)).toHaveLength(4);
    }
    expect(enter(false, 0.1, 'next')).toBeDefined();
  });

  it('has four uploads of one destination, so that others have theirs should it hang', () => {
    const uploads = Array.from({ length: 5 }, () => enter(false, 64));
    expect(entered(uploads)).toEqual([true, true, true, true, false]);
    expect(enter(false, 64, 'other')).toBeDefined();
    expect(room.hasRoom({ isRequest: false, destinationId: 'one' })).toBe(false);
    room.leave(uploads[0]!);
    expect(entered(Array.from({ length: 2 }, () => enter(false, 64)))).toEqual([true, false]);
  });

  it('keeps the last of it for a destination that has none, should two hang', () => {
    const hanging = ['one', 'one', 'one', 'one', 'other', 'other'];
    expect(entered(hanging.map((id) => enter(false, 64, id)))).toEqual([true, true, true, true, true, false]);
    expect(enter(false, 64, 'third')).toBeDefined();
  });

  it('has requests by their size', () => {
    const requests = Array.from({ length: 5 }, () => enter(true, 8));
    expect(entered(requests)).toEqual([true, true, true, true, false]);
    expect(room.hasRoom({ isRequest: true, destinationId: 'one' })).toBe(false);
    room.leave(requests[0]!);
    expect(entered([enter(true, 4), enter(true, 5), enter(true, 4), enter(true, 1)])).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('has one that is larger than all of it, alone', () => {
    const large = enter(true, 100);
    expect(entered([large, enter(true, 1)])).toEqual([true, false]);
    room.leave(large!);
    expect(entered([enter(true, 1), enter(true, 100)])).toEqual([true, false]);
  });
});
