import { BackgroundLoop } from '../../platform/background/background-loop';
import type { Database } from '../../platform/database/database';
import { type HookRequest, renewLeases } from '../requests/hook-leases';

/** Several times in a lease: one that is missed does no harm. */
const INTERVAL_MS = 15_000;

/**
 * Renews the leases that this process has: one runs out only when its process is gone, however slow the code is.
 */
export class LeaseKeeper {
  private readonly kept = new Set<HookRequest>();
  private readonly loop: BackgroundLoop;

  constructor(database: Database, report: (error: unknown) => void) {
    this.loop = new BackgroundLoop(
      async () => this.kept.size > 0 && renewLeases([...this.kept], database),
      INTERVAL_MS,
      report,
    );
    this.loop.start();
  }

  async keepDuring(requests: readonly HookRequest[], work: () => Promise<void>): Promise<void> {
    for (const request of requests) this.kept.add(request);
    try {
      await work();
    } finally {
      for (const request of requests) this.kept.delete(request);
    }
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }
}
