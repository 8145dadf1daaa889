import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Lookout, type Watch } from '../platform/background/lookout';
import { Database } from '../platform/database/database';
import { Eraser } from './eraser';
import { anyLeftErasureSql, takeLeftErasure } from './erasure-notes';

/** Goes on with erasures whose process ended in the middle of them. */
@Injectable()
export class ErasureResumer implements OnModuleDestroy {
  private readonly logger = new Logger(ErasureResumer.name);
  private readonly watch: Watch;

  constructor(
    private readonly database: Database,
    private readonly eraser: Eraser,
    lookout: Lookout,
  ) {
    this.watch = lookout.watch<boolean>({
      sql: anyLeftErasureSql,
      act: async (anyLeft) => anyLeft && this.resumeAll(),
      report: (error) => this.logger.warn(`An erasure could not go on: ${String(error)}`),
    });
  }

  /** Does not wait for the end of an erasure: it goes on elsewhere, or after the start. */
  onModuleDestroy(): void {
    void this.watch.stop();
  }

  private async resumeAll(): Promise<void> {
    while (!this.watch.stopping) {
      const left = await takeLeftErasure(this.database);
      if (left === undefined) return;
      await this.eraser.resume(left);
    }
  }
}
