import type { JobDispatcher, NewJob } from './job-dispatcher';
import { Shortcut } from './shortcut';

/** A dispatcher whose queue says what the test wants it to say. */
class ScriptedDispatcher {
  asked = 0;
  readonly shown: NewJob<'events'>[] = [];
  answer: Promise<boolean> = Promise.resolve(false);

  isPaused(): Promise<boolean> {
    this.asked += 1;
    return this.answer;
  }

  dispatch(_queue: string, jobs: readonly NewJob<'events'>[]): Promise<boolean> {
    this.shown.push(...jobs);
    return Promise.resolve(true);
  }
}

describe('Shortcut', () => {
  let dispatcher: ScriptedDispatcher;
  let shortcut: Shortcut<'events', string>;

  beforeEach(() => {
    jest.useFakeTimers();
    dispatcher = new ScriptedDispatcher();
    shortcut = new Shortcut(dispatcher as unknown as JobDispatcher, 'events', (rows) => [
      { id: rows[0] ?? '', name: `${rows.length} rows`, data: { inboxIds: rows } },
    ]);
  });
  afterEach(() => jest.useRealTimers());

  it('asks the queue once a second whether people have stopped it', async () => {
    expect(await shortcut.isClosed()).toBe(false);
    dispatcher.answer = Promise.resolve(true);
    expect([await shortcut.isClosed(), dispatcher.asked]).toEqual([false, 1]);
    jest.advanceTimersByTime(1_000);
    expect([await shortcut.isClosed(), dispatcher.asked]).toEqual([true, 2]);
  });

  it('is open where the queue does not answer', async () => {
    dispatcher.answer = new Promise(() => undefined);
    expect(await shortcut.isClosed()).toBe(false);
  });

  it('shows what was done in a second together', async () => {
    for (const row of ['a', 'b']) shortcut.show(row);
    await jest.advanceTimersByTimeAsync(1_000);
    shortcut.show('c');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(dispatcher.shown).toEqual([
      { id: 'a', name: '2 rows', data: { inboxIds: ['a', 'b'], done: true } },
      { id: 'c', name: '1 rows', data: { inboxIds: ['c'], done: true } },
    ]);
  });
});
