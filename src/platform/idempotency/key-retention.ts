import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop } from '../background/background-loop';
import { Database } from '../database/database';
import { forgetOldKeys } from './key-claims';

const INTERVAL_MS = 10 * 60_000;

/** Forgets answers that are kept for nobody any more: secrets are in them. */
@Injectable()
export class KeyRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(KeyRetention.name);
  private readonly loop = new BackgroundLoop(
    () => forgetOldKeys(this.database),
    INTERVAL_MS,
    (error) => this.logger.warn(`Old Idempotency-Keys are deleted later: ${String(error)}`),
  );

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onModuleDestroy(): void {
    void this.loop.stop();
  }
}
