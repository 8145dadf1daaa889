import type { EventStore, StorableEvent, StoredEvents } from '../../events/event-store';
import type { HandOver } from '../../events/inbox/hand-over';
import type { StoredRow } from '../../events/inbox/rows-at-hand';
import { GroupCommit } from './group-commit';
import type { IngestionMetrics } from '../ingestion.metrics';

/** A store that does what a test says. Resolves by hand unless told otherwise. */
class ScriptedStore {
  readonly groups: string[][] = [];
  /** Keys that PostgreSQL would refuse. */
  readonly poison = new Set<string>();
  private readonly seen = new Set<string>();
  private held: (() => void)[] | undefined;

  hold(): void {
    this.held = [];
  }

  release(): void {
    const waiting = this.held ?? [];
    this.held = undefined;
    for (const resolve of waiting) resolve();
  }

  async store(events: readonly StorableEvent[]): Promise<StoredEvents> {
    this.groups.push(events.map(({ key }) => key));
    await new Promise<void>((resolve) => (this.held === undefined ? resolve() : this.held.push(resolve)));
    if (events.some(({ key }) => key === 'outage')) throw new Error('Connection terminated unexpectedly');
    if (events.some(({ key }) => this.poison.has(key)))
      throw Object.assign(new Error('bad'), { code: '22P05' });
    const duplicates = events.filter(({ key }) => this.seen.has(key)).map(({ id }) => id);
    for (const { key } of events) this.seen.add(key);
    return { inboxId: duplicates.length < events.length ? 'inbox' : undefined, duplicates };
  }
}

let sequence = 0;
function anEvent(key: string, json = '{}'): StorableEvent {
  sequence += 1;
  const what = { sourceId: 's', subject: 'u:u', type: 'track', name: 'e', timestampMs: 0 } as const;
  return { id: `id-${sequence}`, key, payload: Buffer.from(json), ...what };
}

const nextTurn = (): Promise<undefined> => new Promise((resolve) => setImmediate(() => resolve(undefined)));

describe('GroupCommit', () => {
  let store: ScriptedStore;
  let commits: GroupCommit;
  const handedOn: number[] = [];

  beforeEach(() => {
    store = new ScriptedStore();
    handedOn.length = 0;
    const handOver = { handOverRow: ({ events }: StoredRow) => handedOn.push(events) };
    const metrics = { committed: () => undefined };
    commits = new GroupCommit(
      store as unknown as EventStore,
      handOver as unknown as HandOver,
      metrics as unknown as IngestionMetrics,
    );
  });

  it('stores the events of concurrent requests with one statement', async () => {
    const outcomes = await Promise.all([
      commits.storeEvents([anEvent('a'), anEvent('b')]),
      commits.storeEvents([anEvent('c')]),
    ]);
    expect(outcomes).toEqual([['stored', 'stored'], ['stored']]);
    expect(store.groups).toEqual([['a', 'b', 'c']]);
    expect(handedOn).toEqual([3]);
  });

  it('gathers the next group while one is being committed', async () => {
    store.hold();
    const first = commits.storeEvents([anEvent('a')]);
    await nextTurn();
    const others = ['b', 'c', 'd'].map((key) => commits.storeEvents([anEvent(key)]));
    store.release();
    await Promise.all([first, ...others]);
    expect(store.groups).toEqual([['a'], ['b', 'c', 'd']]);
  });

  it('tells duplicates of one request, of one group and of the past from new events', async () => {
    await commits.storeEvents([anEvent('old')]);
    const outcomes = await Promise.all([
      commits.storeEvents([anEvent('a'), anEvent('a'), anEvent('old')]),
      commits.storeEvents([anEvent('a'), anEvent('b'), anEvent('old')]),
    ]);
    expect(outcomes).toEqual([
      ['stored', 'duplicate', 'duplicate'],
      ['duplicate', 'stored', 'duplicate'],
    ]);
  });

  it('lets one event that PostgreSQL refuses harm no other', async () => {
    store.poison.add('bad');
    const outcomes = await Promise.all([
      commits.storeEvents([anEvent('a'), anEvent('bad')]),
      commits.storeEvents(['b', 'c', 'd'].map((key) => anEvent(key))),
    ]);
    expect(outcomes).toEqual([
      ['stored', 'refused'],
      ['stored', 'stored', 'stored'],
    ]);
  });

  it('fails all requests of a group when the store is away, and goes on with the next', async () => {
    const failed = await Promise.allSettled([
      commits.storeEvents([anEvent('outage')]),
      commits.storeEvents([anEvent('a')]),
    ]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failed[0]).toMatchObject({ reason: { status: 503, retryAfterSeconds: 5 } });
    expect(await commits.storeEvents([anEvent('a')])).toEqual(['stored']);
  });

  it('never splits a request, however large', async () => {
    const large = Array.from({ length: 2_500 }, (_, index) => anEvent(`large-${index}`));
    store.hold();
    const first = commits.storeEvents([anEvent('a')]);
    await nextTurn();
    const others = [commits.storeEvents(large), commits.storeEvents([anEvent('b')])];
    store.release();
    await Promise.all([first, ...others]);
    expect(store.groups.map((group) => group.length)).toEqual([1, 2_500, 1]);
  });
});
