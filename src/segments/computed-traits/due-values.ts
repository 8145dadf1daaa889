import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { existingProfiles } from '../../profiles/reading/next-profiles';
import type { KeptTrait, KeptTraits } from './kept-traits';

const readDueSql = prepared('computed_read_due')`
    select subject, generation from computed_value
    where subject = any($1::text[]) and due_at <= $2::timestamptz`;
/** What is due of a profile that is gone, and, until later, of a trait that this process does not keep. */
const passOverDueSql = prepared('computed_pass_over_due')`
    with passed as (
      select subject, generation,
        case when subject = any($4::text[]) then $2::timestamptz + $5 * interval '1 second' end as later
      from computed_value
      where subject = any($1::text[]) and due_at <= $2::timestamptz
        and (not generation = any($3::integer[]) or not subject = any($4::text[]))
      for update skip locked
    )
    update computed_value v
    set due_at = passed.later
    from passed where v.subject = passed.subject and v.generation = passed.generation
    returning v.subject`;
const retryDueSql = prepared('computed_retry_due')`
    update computed_value set due_at = $3::timestamptz + $4 * interval '1 second'
    where subject = $1 and generation = any($2::integer[]) and due_at <= $3::timestamptz`;

/** The computed traits that have another value by now for people whose profiles are locked. */
export async function readDueTraits(
  locked: readonly Subject[],
  traits: KeptTraits,
  now: string,
  tx: Tx,
): Promise<ReadonlyMap<Subject, readonly KeptTrait[]>> {
  const due = new Map<Subject, KeptTrait[]>();
  if (traits.all.length === 0) return due;
  const byGeneration = new Map(traits.all.map((trait) => [trait.generation, trait]));
  const rows = await tx.query<{ subject: Subject; generation: number }>(readDueSql, [locked, now]);
  for (const { subject, generation } of rows) {
    const trait = byGeneration.get(generation);
    if (trait !== undefined) due.set(subject, [...(due.get(subject) ?? []), trait]);
  }
  return due;
}

/**
 * Looks no more at values of profiles that are gone; for a while not at those of traits that this process does not
 * keep: they are about to be removed, or of a newer process. Returns at how many.
 */
export async function passOverDueValues(
  subjects: readonly Subject[],
  traits: KeptTraits,
  { now, afterS }: { readonly now: string; readonly afterS: number },
  tx: Tx,
): Promise<number> {
  const generations = traits.all.map(({ generation }) => generation);
  const existing = await existingProfiles(subjects, tx);
  return (await tx.query(passOverDueSql, [subjects, now, generations, existing, afterS])).length;
}

/** Leaves the values of a person alone for a while that cannot be counted now. The caller has the profile locked. */
export async function retryDueValues(
  subject: Subject,
  traits: readonly KeptTrait[],
  { now, afterS }: { readonly now: string; readonly afterS: number },
  tx: Tx,
): Promise<void> {
  const generations = traits.map(({ generation }) => generation);
  await tx.query(retryDueSql, [subject, generations, now, afterS]);
}
