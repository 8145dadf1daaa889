import { BatchRoom } from './batch-room';

const MIB = 1024 * 1024;

describe('the room for batches', () => {
  let room: BatchRoom;
  beforeEach(() => (room = new BatchRoom()));
  const enter = (isRequest: boolean, mib: number): boolean => room.enter({ isRequest, bytes: mib * MIB });

  it('has four uploads at a time, however small, and requests beside them', () => {
    expect(Array.from({ length: 5 }, () => enter(false, 1))).toEqual([true, true, true, true, false]);
    expect([room.hasRoom({ isRequest: false }), room.hasRoom({ isRequest: true })]).toEqual([false, true]);
    expect(enter(true, 8)).toBe(true);
  });

  it('has requests by their size', () => {
    expect(Array.from({ length: 5 }, () => enter(true, 8))).toEqual([true, true, true, true, false]);
    expect(room.hasRoom({ isRequest: true })).toBe(false);
    room.leave({ isRequest: true, bytes: 8 * MIB });
    expect([enter(true, 4), enter(true, 5), enter(true, 4), enter(true, 1)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('has one that is larger than all of it, alone', () => {
    expect([enter(true, 100), enter(true, 1)]).toEqual([true, false]);
    room.leave({ isRequest: true, bytes: 100 * MIB });
    expect([enter(true, 1), enter(true, 100)]).toEqual([true, false]);
  });
});
