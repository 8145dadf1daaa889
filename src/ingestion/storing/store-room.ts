import { Injectable } from '@nestjs/common';
import type { StorableEvent } from '../../events/event-store';
import { OverloadedError } from '../ingestion-problems';

/** What an event takes beside its payload, about. */
const ROW_BYTES = 500;
/** What may wait or be in flight: at 20,000 events a second, a second's worth. More would only wait longer. */
const MAX_EVENTS = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** From here on new bodies are not even read; the rest is for those that are on their way. */
const FULL_SHARE = 0.5;
/** Beside it, for bodies that have come while PostgreSQL is asked whose they are and what their tracking plan says. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * The memory for what waits for PostgreSQL, of all requests: events until they are on disk, bodies until they are
 * checked.
 */
@Injectable()
export class StoreRoom {
  private events = 0;
  private bytes = 0;
  private bodyBytes = 0;

  /** Whether a request of middle size would be refused. */
  isFull(): boolean {
    return this.events >= FULL_SHARE * MAX_EVENTS || this.bytes >= FULL_SHARE * MAX_BYTES;
  }

  /** Has all events of a request count until `store` is done with them. @throws OverloadedError */
  async reserve<T>(events: readonly StorableEvent[], store: () => Promise<T>): Promise<T> {
    const bytes = bytesOf(events);
    if (!this.hasRoomFor(events.length, bytes)) throw new OverloadedError();
    this.events += events.length;
    this.bytes += bytes;
    try {
      return await store();
    } finally {
      this.events -= events.length;
      this.bytes -= bytes;
    }
  }

  /**
   * Has a body count until `look`, which may ask PostgreSQL, is done. One alone always has room.
   * @throws OverloadedError
   */
  async reserveForBody<T>({ length }: Buffer, look: () => Promise<T>): Promise<T> {
    if (this.bodyBytes > 0 && this.bodyBytes + length > MAX_BODY_BYTES) throw new OverloadedError();
    this.bodyBytes += length;
    try {
      return await look();
    } finally {
      this.bodyBytes -= length;
    }
  }

  /**
   * A request alone always has, or limits that an operator raised could never be used; one without events needs none.
   */
  private hasRoomFor(events: number, bytes: number): boolean {
    if (this.events === 0 || events === 0) return true;
    return this.events + events <= MAX_EVENTS && this.bytes + bytes <= MAX_BYTES;
  }
}

/** What events take in memory, about. */
export function bytesOf(events: readonly StorableEvent[]): number {
  return events.reduce((sum, { payload }) => sum + payload.length + ROW_BYTES, 0);
}
