import { Logger } from '@nestjs/common';

/** A row of the inbox, and how many events it has. */
export interface StoredRow {
  readonly inboxId: string;
  readonly events: number;
}

/** Events of one transaction: as many as a job's, with the further rows that it takes. */
const TRANSACTION_EVENTS = 1_000;
/** Events that must wait before a second transaction begins beside the first: fewer cost less in the next one. */
const OVERLAP_EVENTS = 250;
/** Events that may wait here. More are for the queue, where other processes find them. */
const MAX_WAITING_EVENTS = 2_000;

/** Where the rows go. */
export interface RowProcessing {
  /** Transactions at a time. */
  readonly atOnce: number;
  /** Whether people have stopped processing. */
  isStopped(): Promise<boolean>;
  process(rows: readonly StoredRow[]): Promise<void>;
}

/**
 * Rows that this process has stored and processes itself. While some are being processed the next ones gather, so
 * transactions grow with the load and a lone event does not wait.
 */
export class RowsAtHand {
  private readonly logger = new Logger(RowsAtHand.name);
  private waiting: StoredRow[] = [];
  private waitingEvents = 0;
  private readonly working = new Set<Promise<void>>();
  private isOver = false;

  /** @param leave what is done with rows that are not processed here */
  constructor(
    private readonly processing: RowProcessing,
    private readonly leave: (rows: readonly StoredRow[]) => void,
  ) {}

  /** Takes the row, to be processed soon; not when so much waits that others should have it. */
  takeRow(row: StoredRow): boolean {
    if (this.isOver || this.waitingEvents >= MAX_WAITING_EVENTS) return false;
    this.waiting.push(row);
    this.waitingEvents += row.events;
    if (this.mayBegin) this.begin();
    return true;
  }

  /** Leaves what waits to others; resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.isOver = true;
    this.leaveWaiting();
    await Promise.all(this.working);
  }

  private get mayBegin(): boolean {
    const { size } = this.working;
    return size === 0 || (size < this.processing.atOnce && this.waitingEvents >= OVERLAP_EVENTS);
  }

  private begin(): void {
    const work = this.work().finally(() => this.working.delete(work));
    this.working.add(work);
  }

  /** Transaction after transaction, until nothing waits. Never rejects. */
  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      if (await this.processing.isStopped()) return this.leaveWaiting();
      const rows = this.takeRows();
      if (rows.length === 0) return; // The other one took them meanwhile.
      try {
        await this.processing.process(rows);
      } catch (error) {
        // They are still in the inbox, where the sweeper finds them.
        const inboxIds = rows.map(({ inboxId }) => inboxId);
        this.logger.warn({ msg: 'Events wait for another try', inboxIds, reason: String(error) });
      }
    }
  }

  private takeRows(): StoredRow[] {
    let events = 0;
    const next = this.waiting.findIndex((row) => (events += row.events) >= TRANSACTION_EVENTS);
    const rows = this.waiting.splice(0, next < 0 ? this.waiting.length : next + 1);
    this.waitingEvents -= rows.reduce((sum, row) => sum + row.events, 0);
    return rows;
  }

  private leaveWaiting(): void {
    const rows = this.waiting;
    this.waiting = [];
    this.waitingEvents = 0;
    this.leave(rows);
  }
}
