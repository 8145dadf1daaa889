import { Injectable } from '@nestjs/common';
import { EventStore } from '../../events/event-store';
import {
  type AcceptedEntry,
  readTail,
  type TailedRejection,
  type TailEntry,
} from '../../events/tail/read-tail';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { Suppressions } from '../../profiles/suppressions';
import type { TailAudience } from './tail-audience';
import { type TailedEvent, tailedEvent, tailedOther } from './tailed-event';

/** Events read with one statement, and their JSON, which takes up to 24 times as much when it is parsed. */
const MAX_EVENTS = 1_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Reads what has come in, and tells it. */
@Injectable()
export class TailReader {
  constructor(
    private readonly database: Database,
    private readonly events: EventStore,
    private readonly suppressions: Suppressions,
    private readonly config: Config,
  ) {}

  /**
   * Tells an audience what was written after a snapshot.
   * @param until up to this snapshot; up to now when it is undefined
   * @returns the snapshot up to which was told
   */
  async tell(audience: TailAudience, since: string, until?: string): Promise<string> {
    const { snapshot, entries, leftOut } = await readTail(since, until, this.database);
    audience.leaveOut(leftOut);
    for (const group of groupsOf(entries)) {
      const count = group.reduce((sum, { events }) => sum + events, 0);
      if (audience.isSated) audience.leaveOut(count);
      else await this.tellAccepted(audience, group, count);
    }
    await this.tellOthers(
      audience,
      entries.flatMap((entry) => (isAccepted(entry) ? [] : [entry.rejected])),
    );
    audience.reach(until ?? snapshot);
    return snapshot;
  }

  private async tellAccepted(
    audience: TailAudience,
    entries: readonly AcceptedEntry[],
    count: number,
  ): Promise<void> {
    const { events, firstLeft } = await this.events.readFirstEventsOf(entries, MAX_BYTES, this.database);
    const suppressed = new Set(await this.suppressions.findEarly(events, this.database));
    const tailed: TailedEvent[] = events.filter((event) => !suppressed.has(event)).map(tailedEvent);
    await audience.tell(tailed, this.config.events.retentionDays, this.database);
    if (firstLeft !== undefined) audience.leaveOut(count - events.length);
  }

  /** Of those that were not stored. */
  private async tellOthers(audience: TailAudience, rejections: readonly TailedRejection[]): Promise<void> {
    const owned = rejections.map((one) => ({ ...one, owners: one.subjects }));
    const refused = new Set(await this.suppressions.findRefused(owned, this.database));
    const tailed = owned.filter((one) => !refused.has(one)).map(tailedOther);
    await audience.tell(tailed, this.config.events.retentionDays, this.database);
  }
}

/** Entries that are read together. */
function groupsOf(entries: readonly TailEntry[]): AcceptedEntry[][] {
  const groups: AcceptedEntry[][] = [];
  let room = 0;
  for (const entry of entries.filter(isAccepted)) {
    if (entry.events > room || groups.length === 0) {
      groups.push([]);
      room = MAX_EVENTS;
    }
    groups.at(-1)?.push(entry);
    room -= entry.events;
  }
  return groups;
}

function isAccepted(entry: TailEntry): entry is AcceptedEntry {
  return entry.rejected === null;
}
