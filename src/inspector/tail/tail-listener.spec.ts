import { anyEvent } from '../../../test/support/any-event';
import { tailedEvent } from './tailed-event';
import { TailListener } from './tail-listener';

const EVERYTHING = { outcome: undefined, sources: undefined, filter: undefined };

describe('TailListener', () => {
  let listener: TailListener;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    listener = new TailListener(EVERYTHING, undefined);
  });
  afterEach(() => jest.useRealTimers());

  /** What the client reads when it reads. */
  const read = (): string[] => String(listener.stream.read() ?? '').split(/(?<=\n\n)/);
  const types = (): (string | undefined)[] => read().map((message) => /^event: (.*)$/m.exec(message)?.[1]);
  const offer = (count: number): void => {
    for (let n = 0; n < count; n += 1) listener.offer(tailedEvent(anyEvent()));
  };

  it('shows fifty a second, and says once a second how many it left out', () => {
    listener.tick();
    offer(60);
    expect(types()).toEqual(Array.from({ length: 50 }, () => 'accepted'));
    listener.tick();
    expect(read()).toEqual(['']);
    jest.advanceTimersByTime(1_000);
    listener.tick();
    expect(read()).toEqual(['event: left_out\ndata: {"count":10}\n\n']);
    offer(1);
    expect(types()).toEqual(['accepted']);
  });

  it('keeps little for a client that does not read, and tells it later how many it missed', () => {
    const large = { properties: { text: 'x'.repeat(100_000) } };
    for (let n = 0; n < 5; n += 1) listener.offer(tailedEvent(anyEvent(large)));
    jest.advanceTimersByTime(60_000);
    listener.tick();
    expect(listener.stream.readableLength).toBeLessThan(400_000);
    expect(types()).toEqual(['accepted', 'accepted', 'accepted']);
    jest.advanceTimersByTime(1_000);
    listener.tick();
    expect(read()).toEqual(['event: left_out\ndata: {"count":2}\n\n']);
  });

  it('says something when there was nothing to say for fifteen seconds', () => {
    jest.advanceTimersByTime(14_000);
    listener.tick();
    expect(read()).toEqual(['']);
    jest.advanceTimersByTime(1_000);
    listener.tick();
    expect(read()).toEqual([': still here\n\n']);
  });

  it('names the snapshot that the client has reached when it has told something', () => {
    listener.reach('1:1:');
    expect(read()).toEqual(['']);
    offer(1);
    listener.reach('2:2:');
    listener.reach('3:3:');
    expect(read().slice(1)).toEqual(['id: 2:2:\n\n']);
  });
});
