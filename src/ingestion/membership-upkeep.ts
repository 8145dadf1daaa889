import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Deliveries } from '../delivery/deliveries';
import { Lookout, type Watch } from '../platform/background/lookout';
import { Database } from '../platform/database/database';
import { anyUpkeepSql, SegmentUpkeep } from '../segments/computing/segment-upkeep';

/** Large computations are shared: PostgreSQL works on each transaction with one core. */
const WORKERS = 2;

/**
 * What happens to segments without an event: new definitions are computed, windows pass. Each step is a transaction
 * of its own and its changes are delivered like those of events. Any number of processes may do this.
 */
@Injectable()
export class MembershipUpkeep implements OnModuleDestroy {
  private readonly logger = new Logger(MembershipUpkeep.name);
  private readonly watches: readonly Watch[];

  constructor(
    private readonly database: Database,
    private readonly segments: SegmentUpkeep,
    private readonly deliveries: Deliveries,
    lookout: Lookout,
  ) {
    // Each has work of its own under way, so that nothing short waits for something long.
    this.watches = Array.from({ length: WORKERS }, () => this.watch(lookout));
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.watches.map((watch) => watch.stop()));
  }

  private watch(lookout: Lookout): Watch {
    const watch = lookout.watch<boolean>({
      sql: anyUpkeepSql,
      act: async (isAny) => {
        await this.segments.foldCounts(this.database);
        if (!isAny) return;
        while (!watch.stopping && (await this.step()));
      },
      // The step was rolled back as a whole, and is found again.
      report: (error) => this.logger.warn(`Segments could not be kept up: ${String(error)}`),
    });
    return watch;
  }

  /** Returns whether there was anything to do. */
  private async step(): Promise<boolean> {
    const { made, busy } = await this.database.transaction(async (tx) => {
      const { changes, busy } = await this.segments.step(tx);
      await this.deliveries.refresh(tx);
      return { made: await this.deliveries.route([], changes, tx), busy };
    });
    await this.deliveries.enqueue(made);
    return busy;
  }
}
