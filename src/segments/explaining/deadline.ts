import type { Tx } from '../../platform/database/database';

/** By when several statements have to be done, together. */
export class Deadline {
  private readonly endsAtMs: number;

  constructor(forMs: number) {
    this.endsAtMs = performance.now() + forMs;
  }

  /** Ends the next statement by then: PostgreSQL cancels it. */
  async bound(tx: Tx): Promise<void> {
    const leftMs = Math.max(1, Math.ceil(this.endsAtMs - performance.now()));
    await tx.query(`set local statement_timeout = ${leftMs}`);
  }
}
