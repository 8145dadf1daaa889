import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '../background/background-work';
import { Database } from '../database/database';
import { forgetOldKeys } from './key-claims';

const INTERVAL_MS = 10 * 60_000;

/** Forgets answers that are kept for nobody any more: secrets are in them. */
@Injectable()
export class KeyRetention extends BackgroundWork {
  protected readonly loop = this.every(
    INTERVAL_MS,
    () => forgetOldKeys(this.database),
    'Old Idempotency-Keys are deleted later',
  );

  constructor(private readonly database: Database) {
    super();
  }
}
