import { RowsAtHand, type StoredRow } from './rows-at-hand';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Processing whose transactions end when the test says so. */
class Steps {
  readonly atOnce = 2;
  readonly transactions: string[][] = [];
  stopped = false;
  private readonly ends: ((error?: Error) => void)[] = [];

  isStopped(): Promise<boolean> {
    return Promise.resolve(this.stopped);
  }

  process(rows: readonly StoredRow[]): Promise<void> {
    this.transactions.push(rows.map(({ inboxId }) => inboxId));
    return new Promise((resolve, reject) => {
      this.ends.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  }

  async end(error?: Error): Promise<void> {
    this.ends.shift()?.(error);
    await nextTurn();
  }
}

describe('RowsAtHand', () => {
  let steps: Steps;
  let rows: RowsAtHand;
  const left: string[] = [];

  beforeEach(() => {
    left.length = 0;
    steps = new Steps();
    rows = new RowsAtHand(steps, (others) => left.push(...others.map(({ inboxId }) => inboxId)));
  });

  const take = async (inboxId: string, events = 1): Promise<boolean> => {
    const taken = rows.takeRow({ inboxId, events });
    await nextTurn();
    return taken;
  };

  it('begins with a lone row at once, and gathers what comes meanwhile', async () => {
    for (const row of ['a', 'b', 'c']) await take(row);
    expect(steps.transactions).toEqual([['a']]);
    await steps.end();
    expect(steps.transactions).toEqual([['a'], ['b', 'c']]);
  });

  it('begins a second transaction beside the first when many events wait, and no third', async () => {
    await take('a', 1);
    await take('b', 249);
    expect(steps.transactions).toHaveLength(1);
    await take('c', 1);
    expect(steps.transactions).toEqual([['a'], ['b', 'c']]);
    await take('d', 500);
    expect(steps.transactions).toHaveLength(2);
  });

  it('makes transactions of about a thousand events', async () => {
    await take('first');
    await take('second', 250);
    for (const row of ['a', 'b', 'c', 'd']) await take(row, 400);
    await steps.end();
    expect(steps.transactions.at(-1)).toEqual(['a', 'b', 'c']);
  });

  it('takes no more when others should have it', async () => {
    await take('a');
    await take('b', 250);
    expect(await take('c', 2_000)).toBe(true);
    expect(await take('d')).toBe(false);
  });

  it('leaves what waits to others when people have stopped processing', async () => {
    await take('a');
    await take('b');
    steps.stopped = true;
    await steps.end();
    expect(left).toEqual(['b']);
    steps.stopped = false;
    await take('c');
    expect(steps.transactions.at(-1)).toEqual(['c']);
  });

  it('goes on after a transaction that failed', async () => {
    await take('a');
    await take('b');
    await steps.end(new Error('PostgreSQL is away'));
    expect(steps.transactions).toEqual([['a'], ['b']]);
  });

  it('ends when what it has begun is done, and leaves the rest to others', async () => {
    await take('a');
    await take('b');
    let closed = false;
    void rows.close().then(() => (closed = true));
    await nextTurn();
    expect([closed, left, await take('c')]).toEqual([false, ['b'], false]);
    await steps.end();
    expect([closed, steps.transactions]).toEqual([true, [['a']]]);
  });
});
