import { readPeople } from '../../delivery/routing/person-of-event';
import { RoutingTable } from '../../delivery/routing/routing-table';
import type { Tx } from '../../platform/database/database';
import type { TailedEvent } from './tailed-event';
import type { TailListener } from './tail-listener';

/** Those who watch. What passes whose filter is decided as for destinations, for all of them at once. */
export class TailAudience {
  private readonly listeners = new Set<TailListener>();
  private table = new RoutingTable<TailListener>([]);

  constructor(listeners: Iterable<TailListener> = []) {
    for (const listener of listeners) this.add(listener);
  }

  add(listener: TailListener): void {
    this.listeners.add(listener);
    this.makeTable();
  }

  remove(listener: TailListener): void {
    if (this.listeners.delete(listener)) this.makeTable();
  }

  /** Whether nobody would be shown more in this second, and everybody wants everything counted. */
  get isSated(): boolean {
    return [...this.listeners].every(({ isSated }) => isSated);
  }

  /** @param retentionDays for which events are kept */
  async tell(tailed: readonly TailedEvent[], retentionDays: number, tx: Tx): Promise<void> {
    const events = tailed.map(({ event }) => event);
    const personOf = await readPeople(events, this.table, retentionDays, tx);
    const nowMs = Date.now();
    for (const one of tailed) {
      const matched = this.table.match(one.event, personOf(one.event), nowMs);
      for (const listener of matched) listener.offer(one);
    }
  }

  /** Of events that nobody looked at. They may be other than what a listener asks for. */
  leaveOut(count: number): void {
    for (const listener of this.listeners) listener.leaveOut(count);
  }

  /** Everything was told up to this snapshot. */
  reach(snapshot: string): void {
    for (const listener of this.listeners) listener.reach(snapshot);
  }

  tick(): void {
    for (const listener of this.listeners) listener.tick();
  }

  private makeTable(): void {
    this.table = new RoutingTable(
      [...this.listeners].map((listener) => ({ ...listener.filter, destination: listener })),
    );
  }
}
