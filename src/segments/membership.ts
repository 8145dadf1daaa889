import { Injectable } from '@nestjs/common';
import type { Tx } from '../platform/database/database';
import type { TouchedProfile } from '../profiles/touched-profile';
import { ActiveSegments } from './active-segments';
import { forgetMerged } from './forget-merged';
import type { MembershipChange } from './membership-change';
import { updateMemberships } from './update-memberships';

/** Who is in which segment. */
@Injectable()
export class Membership {
  constructor(private readonly segments: ActiveSegments) {}

  /**
   * Evaluates the segments that depend on what changed, inside the caller's transaction, which has updated the
   * profiles and so keeps others from them. Answers who entered and exited readable segments.
   */
  async reevaluate(touched: readonly TouchedProfile[], tx: Tx): Promise<MembershipChange[]> {
    if (touched.length === 0) return [];
    const { index, now } = await this.segments.hold(tx);
    const merged = touched.flatMap(({ mergedSubjects }) => mergedSubjects);
    if (merged.length > 0) await forgetMerged(merged, index.generations, tx);
    const work = touched
      .map((profile) => ({ facts: profile.facts, generations: index.candidatesOf(profile) }))
      .filter(({ generations }) => generations.length > 0);
    return updateMemberships(work, now, tx);
  }
}
