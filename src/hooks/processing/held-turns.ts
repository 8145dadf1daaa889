import { BackgroundLoop } from '../../platform/background/background-loop';
import type { Database } from '../../platform/database/database';
import { type HookRequest, prolongTurns } from '../requests/hook-turns';

/** Several times in a turn: one that is missed does no harm. */
const INTERVAL_MS = 15_000;

/**
 * Keeps the turns that this process has: one ends by itself only when its process is gone, however slow the code is.
 */
export class HeldTurns {
  private readonly held = new Set<HookRequest>();
  private readonly loop: BackgroundLoop;

  constructor(database: Database, report: (error: unknown) => void) {
    this.loop = new BackgroundLoop(
      async () => this.held.size > 0 && prolongTurns([...this.held], database),
      INTERVAL_MS,
      report,
    );
    this.loop.start();
  }

  async during(requests: readonly HookRequest[], work: () => Promise<void>): Promise<void> {
    for (const request of requests) this.held.add(request);
    try {
      await work();
    } finally {
      for (const request of requests) this.held.delete(request);
    }
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }
}
