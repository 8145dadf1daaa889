/** Items that go together may take so long, and be so many. */
const RUN_MS = 5;
const MAX_ITEMS = 16;

interface Line<T> {
  readonly items: T[];
  /** An item of the last run. Nobody knows it of the first one: that one goes alone. */
  itemMs: number;
  /** Time used, or what counts as such for those who were away; see {@link FairQueue}. */
  usedMs: number;
  /** Runs that have begun: what they use is not known yet. */
  underWay: number;
}

/**
 * Shares the time of one thread, or of several: next is whoever has used the least of it. One that takes long each
 * time waits for all the others, however many of its items are there. Who comes anew begins where the others are.
 */
export class FairQueue<T> {
  private readonly lines = new Map<string, Line<T>>();
  private nowMs = 0;

  /** @param goesAlone whether an item has a run for itself, however quick the others are */
  constructor(private readonly goesAlone: (item: T) => boolean = () => false) {}

  add(key: string, item: T): void {
    const line = this.lines.get(key);
    if (line === undefined) {
      this.lines.set(key, { items: [item], itemMs: Infinity, usedMs: this.nowMs, underWay: 0 });
    } else {
      if (line.items.length === 0) line.usedMs = Math.max(line.usedMs, this.nowMs);
      line.items.push(item);
    }
  }

  /** Takes items of one line out: several where they are quick, none when nothing waits. `used` ends their run. */
  next(): T[] {
    let first: Line<T> | undefined;
    for (const [key, line] of this.lines) {
      if (line.items.length > 0) {
        if (first === undefined || line.usedMs < first.usedMs) first = line;
        // What it used says nothing any more.
      } else if (line.underWay === 0 && line.usedMs <= this.nowMs) this.lines.delete(key);
    }
    if (first === undefined) return [];
    this.nowMs = first.usedMs;
    first.underWay += 1;
    return first.items.splice(0, this.itemsOfRun(first));
  }

  /** Ends a run. @param ms that it took with so many items */
  used(key: string, ms: number, items: number): void {
    const line = this.lines.get(key);
    if (line === undefined) return;
    line.underWay -= 1;
    line.usedMs += ms;
    line.itemMs = ms / items;
  }

  /** Takes all items out that wait, for no run. */
  drop(): T[] {
    return [...this.lines.values()].flatMap(({ items }) => items.splice(0));
  }

  private itemsOfRun({ items, itemMs }: Line<T>): number {
    const most = Math.min(MAX_ITEMS, Math.floor(RUN_MS / itemMs), items.length);
    const next = items.slice(0, Math.max(1, most));
    const alone = next.findIndex((item) => this.goesAlone(item));
    return alone === -1 ? next.length : Math.max(1, alone);
  }
}
