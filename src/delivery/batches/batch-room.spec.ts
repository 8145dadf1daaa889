import { BatchRoom } from './batch-room';

const MIB = 1024 * 1024;

describe('the room for batches', () => {
  let room: BatchRoom;
  beforeEach(() => (room = new BatchRoom()));
  const enter = (isRequest: boolean, mib: number, destinationId = 'one'): boolean =>
    room.enter({ isRequest, destinationId, bytes: mib * MIB });

  it('has six uploads at a time, however small, and requests beside them', () => {
    const others = ['one', 'one', 'one', 'other', 'other', 'third', 'fourth'];
    expect(others.map((id) => enter(false, 1, id))).toEqual([...others.slice(1).map(() => true), false]);
    expect(room.hasRoom({ isRequest: false, destinationId: 'fourth' })).toBe(false);
    expect(room.hasRoom({ isRequest: true, destinationId: 'fourth' })).toBe(true);
    expect(enter(true, 8)).toBe(true);
  });

  it('has four uploads of one destination, so that others have theirs should it hang', () => {
    expect(Array.from({ length: 5 }, () => enter(false, 1))).toEqual([true, true, true, true, false]);
    expect(enter(false, 1, 'other')).toBe(true);
    expect(room.hasRoom({ isRequest: false, destinationId: 'one' })).toBe(false);
    room.leave({ isRequest: false, destinationId: 'one', bytes: MIB });
    expect(Array.from({ length: 2 }, () => enter(false, 1))).toEqual([true, false]);
  });

  it('keeps the last one for a destination that has none, should two hang', () => {
    const hanging = ['one', 'one', 'one', 'one', 'other', 'other'];
    expect(hanging.map((id) => enter(false, 1, id))).toEqual([true, true, true, true, true, false]);
    expect(enter(false, 1, 'third')).toBe(true);
  });

  it('has requests by their size', () => {
    expect(Array.from({ length: 5 }, () => enter(true, 8))).toEqual([true, true, true, true, false]);
    expect(room.hasRoom({ isRequest: true, destinationId: 'one' })).toBe(false);
    room.leave({ isRequest: true, destinationId: 'one', bytes: 8 * MIB });
    expect([enter(true, 4), enter(true, 5), enter(true, 4), enter(true, 1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('has one that is larger than all of it, alone', () => {
    expect([enter(true, 100), enter(true, 1)]).toEqual([true, false]);
    room.leave({ isRequest: true, destinationId: 'one', bytes: 100 * MIB });
    expect([enter(true, 1), enter(true, 100)]).toEqual([true, false]);
  });
});
