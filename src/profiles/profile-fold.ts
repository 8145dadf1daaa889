import type { Subject } from '../events/customer-event';
import type { PeoplePlan } from './identity/plan-people';
import type { PersonalEvents } from './personal-events';
import { addToProfile, deltaOf, emptyProfile } from './state/add-to-profile';
import type { ProfileDelta } from './state/profile-delta';
import type { ProfileLimits } from './state/profile-limits';
import type { StoredProfile } from './state/stored-profile';

/** What events do to a row. */
export interface FoldedProfile {
  readonly before: StoredProfile;
  readonly after: StoredProfile;
  /** What is added to the profile. Empty where the events have nothing to add. */
  readonly deltas: readonly ProfileDelta[];
  readonly changedTraits: readonly string[];
  /** Whether the profile counts events of a name one by one. */
  readonly countsName: (name: string) => boolean;
}

/** Rows, and what they hold without the events. */
type Rows = ReadonlyMap<Subject, { readonly before: StoredProfile }>;

const NO_DELTAS: readonly ProfileDelta[] = [];
const NOTHING_ADDED = { changedTraits: [], countsName: () => false };

/**
 * Folds events into rows: the events are added to the profiles that they belong to. A profile that a link ends is added
 * to the one that it goes into, and points there. No statement is sent here: what the rows hold was read before. Asked
 * again, it computes only the rows that something else goes into by now.
 */
export class ProfileFold {
  private readonly done = new Map<Subject, FoldedProfile>();

  constructor(
    private readonly personal: PersonalEvents,
    private readonly limits: ProfileLimits,
  ) {}

  fold(rows: Rows, plan: PeoplePlan): Map<Subject, FoldedProfile> {
    const additions = this.additionsTo(rows, plan);
    const folded = new Map<Subject, FoldedProfile>();
    for (const [subject, { before }] of rows) {
      const root = plan.folds.pointers.get(subject) ?? null;
      const deltas = additions.get(subject) ?? NO_DELTAS;
      const done = this.done.get(subject);
      const one = isSame(done, before, deltas, root) ? done : this.foldOne(before, deltas, root);
      this.done.set(subject, one);
      folded.set(subject, one);
    }
    return folded;
  }

  private additionsTo(rows: Rows, plan: PeoplePlan): Map<Subject, ProfileDelta[]> {
    const additions = new Map<Subject, ProfileDelta[]>();
    const add = (root: Subject, delta: ProfileDelta): void => {
      const all = additions.get(root);
      if (all === undefined) additions.set(root, [delta]);
      else all.push(delta);
    };
    for (const [subject, delta] of this.personal.deltas) add(plan.rootOf(subject), delta);
    for (const subject of plan.folds.ended) {
      const before = rows.get(subject)?.before;
      if (before !== undefined && before.event_count > 0) add(plan.rootOf(subject), deltaOf(before));
    }
    return additions;
  }

  private foldOne(
    before: StoredProfile,
    deltas: readonly ProfileDelta[],
    root: Subject | null,
  ): FoldedProfile {
    const onlyAliased = before.only_aliased && !this.personal.used.has(before.subject);
    const kept = root === null ? named(before, onlyAliased) : emptyProfile(before.subject, onlyAliased, root);
    if (deltas.length === 0) return { before, after: kept, deltas, ...NOTHING_ADDED };
    const { after, changedTraits, countsName } = addToProfile(kept, deltas, this.limits);
    return { before, after, deltas, changedTraits, countsName };
  }
}

function named(row: StoredProfile, onlyAliased: boolean): StoredProfile {
  return row.only_aliased === onlyAliased ? row : { ...row, only_aliased: onlyAliased };
}

function isSame(
  done: FoldedProfile | undefined,
  before: StoredProfile,
  deltas: readonly ProfileDelta[],
  root: Subject | null,
): done is FoldedProfile {
  if (done?.before !== before || done.after.merged_into !== (root ?? before.merged_into)) return false;
  return done.deltas.length === deltas.length && done.deltas.every((delta, index) => delta === deltas[index]);
}
