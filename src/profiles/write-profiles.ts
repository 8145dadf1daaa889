import type { Subject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import type { FoldPlan } from './identity/plan-folds';
import { deltaRow } from './state/delta-row';
import { insertProfiles } from './state/insert-profiles';
import type { ProfileDelta } from './state/profile-delta';
import type { ProfileLimits } from './state/profile-limits';
import { type UpsertedProfile, upsertProfiles } from './state/upsert-profiles';

/** What is to be written: deltas, by whether their rows are taken to exist, and what the links are taken to do. */
export interface Writing {
  readonly deltas: ReadonlyMap<Subject, ProfileDelta>;
  readonly isNew: (subject: Subject) => boolean;
  readonly expected: FoldPlan;
  /** The subjects that an event bears. */
  readonly used: ReadonlySet<Subject>;
}

/** What was written. */
export interface Written {
  readonly upserted: readonly UpsertedProfile[];
  /** The subjects whose rows nobody else has seen. */
  readonly made: ReadonlySet<Subject>;
  /** Those of them that point to another profile already, and to which. */
  readonly pointers: ReadonlyMap<Subject, Subject>;
}

/**
 * First what is taken to be new, then the rest, each in the order of subjects. Who waits for a row that somebody else is
 * making holds nothing yet that others could wait for, so that there are still no circles.
 */
export async function writeProfiles(
  { deltas, isNew, expected, used }: Writing,
  limits: ProfileLimits,
  tx: Tx,
): Promise<Written> {
  const rows = [...deltas].map(([subject, delta]) => deltaRow(subject, delta, limits.maxTraitBytes));
  const fresh = rows.filter(({ subject }) => isNew(subject));
  const inserted = await insertProfiles(fresh, { pointers: expected.pointers, used }, tx);
  const made = new Set(inserted.map(({ subject }) => subject));
  const rest = await upsertProfiles(
    rows.filter(({ subject }) => !made.has(subject)),
    limits,
    tx,
  );
  const empty = inserted.filter(({ event_count }) => event_count === 0);
  const pointers = empty.flatMap(({ subject }): [Subject, Subject][] => {
    const root = expected.pointers.get(subject);
    return root === undefined ? [] : [[subject, root]];
  });
  return { upserted: [...inserted, ...rest], made, pointers: new Map(pointers) };
}
