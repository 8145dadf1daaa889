import type { Subject } from '../../events/customer-event';
import { userIdOf } from '../../events/subject';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedList } from '../../platform/database/statements/unplanned';
import type { ProfileFacts } from '../../profiles/touched-profile';
import type { ActiveGeneration } from '../definitions/active-generation';
import { addDifferencesSql } from './member-counts';
import type { MembershipChange } from './person-change';
import { readFacts } from './read-facts';
import type { PersonMeasures } from './read-measures';

/** A profile and the definitions to evaluate it against. */
export interface MembershipWork {
  readonly facts: ProfileFacts;
  /** Each of them once, behind those that it requires. */
  readonly generations: readonly ActiveGeneration[];
}

/** A row of `segment_member`. */
interface KnownMember {
  readonly subject: Subject;
  readonly generation: number;
  readonly member: boolean;
  /** Milliseconds since 1970. */
  readonly dueMs: number | null;
}

/** A row to write. */
interface WrittenMember extends KnownMember {
  /** Whether there was a row before. */
  readonly known: boolean;
  /** Who is in this generation, too, keeps the time of entry. */
  readonly oldGeneration?: number | undefined;
}

const memberColumns =
  'm.subject, m.generation, m.member, (extract(epoch from m.due_at) * 1000)::float8 as "dueMs"';
/** A look into the index for each, also while the plan is of a time when few were there. */
const readMembersSql = prepared('segment_read_members')`
    select ${memberColumns} from unnest(${unplannedList('$1', 'text')}, $2::integer[]) as asked (subject, generation)
    cross join lateral (select * from segment_member as s
      where s.subject = asked.subject and s.generation = asked.generation limit 1) as m`;
/** Everything about these people, whatever is asked. */
const readAllMembersSql = prepared('segment_read_all_members')`
  select ${memberColumns} from segment_member m where m.subject = any($1::text[])`;
/** Definitions per person from where on it is cheaper to read everything about them. */
const MANY_GENERATIONS = 50;

/**
 * How long it is remembered that somebody left, for people who ask where an event went. Then the row is due, and as
 * nothing changes by itself any more, it goes.
 */
const LEFT_KEPT_MS = 30 * 24 * 3600_000;

/**
 * Rows are written in the order of their key, as the computation of a generation does: no deadlock. Who was never in it
 * has been out of it for ever; who was in the generation that a new one replaces has been in it since then.
 */
const writeMembersSql = prepared('segment_write_members')`
    with written as materialized (
      select subject, generation, member, to_timestamp(due_ms / 1000) as due_at,
        case when member or known then coalesce(
          (select o.changed_at from segment_member o
            where w.member and o.subject = w.subject and o.generation = w.old_generation and o.member),
          $8::timestamptz) else '-infinity' end as changed_at
      from unnest(${unplannedList('$1', 'text')}, $2::integer[], $3::boolean[], $4::float8[], $5::boolean[], $11::integer[])
        as w (subject, generation, member, due_ms, known, old_generation)
    ), gone as (
      delete from segment_member m using unnest($6::text[], $7::integer[]) as g (subject, generation)
      where m.subject = g.subject and m.generation = g.generation
    ), counted as (
      ${addDifferencesSql('$9', '$10')}
    )
    insert into segment_member (subject, generation, member, due_at, changed_at)
    select * from written order by subject, generation
    on conflict (subject, generation) do update
    set member = excluded.member, due_at = excluded.due_at,
      changed_at = case when segment_member.member = excluded.member
        then segment_member.changed_at else excluded.changed_at end`;

/**
 * Evaluates profiles that the transaction keeps others from, and writes what is different from what is known. All that
 * has to be read travels together.
 * @param measures what `readMeasures` reads of them, at `now`
 * @param now PostgreSQL's time, as it writes it.
 */
export async function updateMemberships(
  work: readonly MembershipWork[],
  measures: Promise<ReadonlyMap<Subject, PersonMeasures>>,
  now: string,
  tx: Tx,
): Promise<MembershipChange[]> {
  if (work.length === 0) return [];
  const nowMs = Date.parse(now);
  const at = new Date(nowMs).toISOString();
  const [known, factsWith] = await Promise.all([
    readMembers(work, tx),
    readFacts(work, { measures, nowMs }, tx),
  ]);
  const plan = new WritePlan(nowMs);
  const changes: MembershipChange[] = [];
  for (const each of work) {
    const {
      facts: { subject },
      generations,
    } = each;
    const knownHere = known.get(subject);
    const segments = segmentsOf(generations, knownHere);
    const segmentFacts = factsWith(each, segments);
    for (const active of generations) {
      const member = active.test(segmentFacts);
      const dueMs = active.nextChange?.(segmentFacts) ?? null;
      const before = knownHere?.get(active.generation);
      const isComputing = active.phase === 'computing';
      if (!isComputing && member) segments.add(active.segmentId);
      else if (!isComputing) segments.delete(active.segmentId);
      const told = knownHere?.get(active.toldGeneration ?? active.generation)?.member ?? false;
      // Most people are in few of many segments.
      if (!member && dueMs === null && before === undefined && !told && !isComputing) continue;
      const found = { subject, generation: active.generation, member, dueMs };
      plan.add(found, before, active);
      if (isComputing) continue;
      if (member !== (before?.member ?? false)) plan.count(subject, active.generation, member ? 1 : -1);
      if (member === told) continue;
      const { segmentId, segmentName } = active;
      changes.push({ segmentId, segmentName, subject, change: member ? 'entered' : 'exited', at });
      plan.tell(subject, active.toldGeneration, member);
    }
  }
  await plan.write(now, tx);
  return changes;
}

/** Of the segments that the rules ask about: those that the person was in before. */
function segmentsOf(
  generations: readonly ActiveGeneration[],
  known: ReadonlyMap<number, KnownMember> | undefined,
): Set<string> {
  const segments = new Set<string>();
  for (const { requires } of generations) {
    for (const { segmentId, generation } of requires) {
      if (known?.get(generation)?.member === true) segments.add(segmentId);
    }
  }
  return segments;
}

async function readMembers(
  work: readonly MembershipWork[],
  tx: Tx,
): Promise<Map<Subject, Map<number, KnownMember>>> {
  const many = work.filter(({ generations }) => generations.length >= MANY_GENERATIONS);
  const few = work
    .filter(({ generations }) => generations.length < MANY_GENERATIONS)
    .flatMap(({ facts: { subject }, generations }) =>
      generations.flatMap(({ generation, toldGeneration, requires }) =>
        [generation, toldGeneration, ...requires.map((required) => required.generation)].flatMap((of) =>
          of === undefined ? [] : { subject, generation: of },
        ),
      ),
    );
  const rows = await Promise.all([
    many.length === 0
      ? []
      : tx.query<KnownMember>(readAllMembersSql, [many.map(({ facts }) => facts.subject)]),
    few.length === 0
      ? []
      : tx.query<KnownMember>(readMembersSql, [
          few.map(({ subject }) => subject),
          few.map(({ generation }) => generation),
        ]),
  ]);
  const known = new Map<Subject, Map<number, KnownMember>>();
  for (const row of rows.flat()) {
    const ofSubject = known.get(row.subject);
    if (ofSubject === undefined) known.set(row.subject, new Map([[row.generation, row]]));
    else ofSubject.set(row.generation, row);
  }
  return known;
}

/** The rows to write and to remove, gathered for one statement. */
class WritePlan {
  private readonly written: WrittenMember[] = [];
  private readonly removed: KnownMember[] = [];
  /** Who leaves which generation, see {@link keyOf}. */
  private readonly left = new Set<string>();
  /** By generation: how many users more there are now. */
  private readonly differences = new Map<number, number>();

  constructor(private readonly nowMs: number) {}

  add(found: KnownMember, before: KnownMember | undefined, { phase, oldGeneration }: ActiveGeneration): void {
    if (phase === 'computing') {
      // The computation may be about to write what it saw before: only a row that is there stops it.
      this.written.push({ known: before !== undefined, oldGeneration, ...found });
    } else if (before?.member !== found.member) {
      this.change(found, before);
    } else if (before.dueMs !== found.dueMs && !this.isSoonEnough(before.dueMs, found.dueMs)) {
      this.change(found, before);
    }
  }

  count(subject: Subject, generation: number, difference: number): void {
    if (userIdOf(subject) === undefined) return;
    this.differences.set(generation, (this.differences.get(generation) ?? 0) + difference);
  }

  /** Keeps what destinations are told, where that is not what the members say. */
  tell(subject: Subject, toldGeneration: number | undefined, member: boolean): void {
    if (toldGeneration === undefined) return;
    const told = { subject, generation: toldGeneration, member, dueMs: null };
    if (member) this.written.push({ known: false, ...told });
    else this.removed.push(told);
  }

  async write(now: string, tx: Tx): Promise<void> {
    const { written, removed } = this;
    if (written.length === 0 && removed.length === 0) return;
    const differences = [...this.differences].filter(([, difference]) => difference !== 0);
    await tx.query(writeMembersSql, [
      written.map(({ subject }) => subject),
      written.map(({ generation }) => generation),
      written.map(({ member }) => member),
      written.map(({ dueMs }) => dueMs),
      written.map(({ known }) => known),
      removed.map(({ subject }) => subject),
      removed.map(({ generation }) => generation),
      now,
      differences.map(([generation]) => generation),
      differences.map(([, difference]) => difference),
      written.map(({ subject, oldGeneration }) =>
        oldGeneration === undefined || this.left.has(keyOf(subject, oldGeneration)) ? null : oldGeneration,
      ),
    ]);
  }

  private change(found: KnownMember, before: KnownMember | undefined): void {
    const known = before !== undefined;
    if (before?.member === true && !found.member) this.left.add(keyOf(found.subject, found.generation));
    if (found.member || found.dueMs !== null) this.written.push({ known, ...found });
    else if (before?.member === true)
      this.written.push({ known, ...found, dueMs: this.nowMs + LEFT_KEPT_MS });
    else if (before !== undefined) this.removed.push(found);
  }

  /** A person who is evaluated before it is due gets the exact time then: better than a write with every event. */
  private isSoonEnough(knownMs: number | null, foundMs: number | null): boolean {
    return knownMs !== null && knownMs > this.nowMs && (foundMs === null || knownMs <= foundMs);
  }
}

function keyOf(subject: Subject, generation: number): string {
  return `${generation} ${subject}`;
}
