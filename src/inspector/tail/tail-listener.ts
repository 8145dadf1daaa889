import { Readable } from 'node:stream';
import { stringifyExactly } from '../../events/exact-json';
import type { TailFilter } from './tail-filter';
import type { TailedEvent } from './tailed-event';

/** More than people can read, and little enough for any line. */
const MAX_PER_SECOND = 50;
/** Of a client that does not read: what is kept for it beside what the network holds. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** Proxies end a connection on which nothing is said for a minute, some for half of one. */
const HEARTBEAT_MS = 15_000;

/** Somebody who watches, and the Server-Sent Events that he gets. */
export class TailListener {
  readonly stream = new Readable({ read: () => undefined });
  private secondEndsAt = 0;
  private shown = 0;
  private leftOut = 0;
  private hasNews = false;
  private hasEnded = false;
  private spokeAt = performance.now();

  /** @param resumeAt the snapshot up to which the client has seen the tail, when it says so */
  constructor(
    readonly filter: TailFilter,
    readonly resumeAt: string | undefined,
  ) {}

  /** Whether it would show nothing more in this second, and counts whatever comes. */
  get isSated(): boolean {
    const { outcome, sources, filter } = this.filter;
    const wantsAll = (outcome ?? 'accepted') === 'accepted' && sources === undefined && filter === undefined;
    return wantsAll && this.shown >= MAX_PER_SECOND;
  }

  /** Lets the client know that what is accepted from now on is shown. */
  begin(): void {
    this.say(': listening\n');
  }

  /** An event that passes the filter, outcome aside. */
  offer(tailed: TailedEvent): void {
    if (this.filter.outcome !== undefined && this.filter.outcome !== tailed.outcome) return;
    this.leaveOut(tailed.others);
    if (this.shown >= MAX_PER_SECOND || this.isBehind) return this.leaveOut(1);
    this.shown += 1;
    this.hasNews = true;
    this.tell(tailed.outcome, tailed.show());
  }

  leaveOut(count: number): void {
    this.leftOut += count;
  }

  /** The client has been told of everything up to this snapshot. */
  reach(snapshot: string): void {
    if (this.hasNews) this.say(`id: ${snapshot}\n`);
    this.hasNews = false;
  }

  /** To be called often: says what is said once a second, and something when there was nothing to say for long. */
  tick(): void {
    const now = performance.now();
    if (now >= this.secondEndsAt) this.endSecond(now);
    if (now - this.spokeAt >= HEARTBEAT_MS && !this.isBehind) this.say(': still here\n');
  }

  end(): void {
    this.hasEnded = true;
    this.stream.push(null);
  }

  private get isBehind(): boolean {
    return this.stream.readableLength > MAX_UNREAD_BYTES;
  }

  private endSecond(now: number): void {
    this.secondEndsAt = now + 1_000;
    this.shown = 0;
    if (this.leftOut === 0 || this.isBehind) return;
    this.tell('left_out', { count: this.leftOut });
    this.leftOut = 0;
  }

  private tell(type: string, data: object): void {
    this.say(`event: ${type}\ndata: ${stringifyExactly(data)}\n`);
  }

  /** A client that reads slowly is there for a while after its end. */
  private say(message: string): void {
    if (this.hasEnded) return;
    this.spokeAt = performance.now();
    this.stream.push(`${message}\n`);
  }
}
