interface Line<T> {
  readonly items: T[];
  /** Time used, or what counts as such for those who were away; see {@link TurnsByTime}. */
  usedMs: number;
}

/**
 * Whose turn it is when one place is shared: whoever has used the least of it. One that takes long each time waits for
 * all the others, however many of its items are there. Who comes anew begins where the others are.
 */
export class TurnsByTime<T> {
  private readonly lines = new Map<string, Line<T>>();
  private nowMs = 0;

  add(key: string, item: T): void {
    const line = this.lines.get(key);
    if (line === undefined) this.lines.set(key, { items: [item], usedMs: this.nowMs });
    else {
      if (line.items.length === 0) line.usedMs = Math.max(line.usedMs, this.nowMs);
      line.items.push(item);
    }
  }

  /** Takes an item out. */
  next(): T | undefined {
    let first: Line<T> | undefined;
    for (const [key, line] of this.lines) {
      if (line.items.length > 0) {
        if (first === undefined || line.usedMs < first.usedMs) first = line;
        // What it used says nothing any more.
      } else if (line.usedMs <= this.nowMs) this.lines.delete(key);
    }
    if (first === undefined) return undefined;
    this.nowMs = first.usedMs;
    return first.items.shift();
  }

  used(key: string, ms: number): void {
    const line = this.lines.get(key);
    if (line !== undefined) line.usedMs += ms;
  }
}
