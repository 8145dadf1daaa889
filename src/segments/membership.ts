import { Injectable } from '@nestjs/common';
import type { Tx } from '../platform/database/database';
import type { TouchedProfile } from '../profiles/touched-profile';
import type { MembershipChange } from './membership-change';

/** Who is in which segment. */
@Injectable()
export class Membership {
  /** Evaluates the segments that depend on what changed, inside the caller's transaction. */
  async reevaluate(_touched: readonly TouchedProfile[], _tx: Tx): Promise<MembershipChange[]> {
    return [];
  }
}
