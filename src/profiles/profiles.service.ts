import { Injectable } from '@nestjs/common';
import type { CustomerEvent } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import type { TouchedProfile } from './touched-profile';

/** Unified profiles. */
@Injectable()
export class ProfilesService {
  /** Applies accepted events to the profiles they belong to, exactly once, inside the caller's transaction. */
  async apply(_events: readonly CustomerEvent[], _tx: Tx): Promise<TouchedProfile[]> {
    return [];
  }
}
