import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/database';
import type { Touched } from '../../profiles/profiles.service';
import type { TouchedGroup } from '../../profiles/touched-group';
import type { TouchedProfile } from '../../profiles/touched-profile';
import { ActiveSegments, type ActiveSegmentsNow } from '../definitions/active-segments';
import { forgetValues } from '../computed-traits/forget-values';
import { forgetMerged } from './forget-merged';
import { addChangedGroups } from './reevaluate-group';
import type { PersonChange } from './person-change';
import { shareLockGroupsOf } from './read-group-traits';
import { splitByCost } from './divide-work';
import { postponeEvaluation } from './postpone-evaluation';
import { updatePeople } from './update-people';

/** Who is in which segment, and the values of computed traits that are kept. */
@Injectable()
export class Membership {
  constructor(private readonly segments: ActiveSegments) {}

  /**
   * The definitions that the transaction evaluates: none changes before it ends. The people and groups that it evaluates
   * have to be locked before.
   */
  shareLock(tx: Tx): Promise<ActiveSegmentsNow> {
    return this.segments.shareLock(tx);
  }

  /**
   * Evaluates the segments and computed traits that depend on what changed, inside the caller's transaction, which has
   * updated the profiles and so keeps others from them. Returns who entered and exited readable segments, and whose
   * values changed. Other members of groups whose traits changed are looked at in the background, and so is who has so
   * many events that others would wait.
   * @param definitions what {@link shareLock} has answered, where it was asked before
   */
  async reevaluate(
    { profiles, groups }: Omit<Touched, 'rootOf'>,
    tx: Tx,
    definitions?: ActiveSegmentsNow,
  ): Promise<PersonChange[]> {
    if (profiles.length === 0 && groups.length === 0) return [];
    const { index, traits, now } = definitions ?? (await this.shareLock(tx));
    const changed = groups.filter(({ changedTraits }) => index.asksAboutGroupTraits(changedTraits));
    // Others can only be in a group that was there before.
    await addChangedGroups(
      changed.filter(({ created }) => !created).map(({ groupId }) => groupId),
      tx,
    );
    const merged = profiles.flatMap(({ mergedSubjects }) => mergedSubjects);
    if (merged.length > 0) await forgetMerged(merged, index.generations, tx);
    if (merged.length > 0 && traits.all.length > 0) await forgetValues(merged, tx);
    const work = profiles
      .map((profile) => ({
        facts: profile.facts,
        generations: index.candidatesOf(profile, changesAround(profile, changed)),
        traits: traits.of(profile),
      }))
      .filter((each) => each.generations.length > 0 || each.traits.length > 0);
    // A person who comes into a group by a merge, and not by an event of the group, has not locked it yet.
    if (merged.length > 0) await shareLockGroupsOf(work, tx);
    const { atOnce, later } = splitByCost(work);
    if (later.length > 0) await postponeEvaluation(later, now, tx);
    return updatePeople(atOnce, now, tx);
  }
}

/** The traits that changed in the groups of a person. */
function changesAround({ facts }: TouchedProfile, changed: readonly TouchedGroup[]): string[] {
  if (changed.length === 0) return [];
  const groups = new Set(facts.groups);
  return changed
    .filter(({ groupId }) => groups.has(groupId))
    .flatMap(({ changedTraits }) => [...changedTraits]);
}
