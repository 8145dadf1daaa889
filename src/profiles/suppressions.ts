import { Injectable } from '@nestjs/common';
import type { CustomerEvent, Subject } from '../events/customer-event';
import { timeOfId } from '../events/partitions/partition-plan';
import { type AboutPeople, ownersAmong, subjectsNamedIn } from '../events/subject';
import { Config } from '../platform/config/config';
import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';
import { Pseudonyms } from './pseudonyms';

const anySuppressionSql = prepared('any_suppression')`select exists (select from suppression) as "any"`;

const findSuppressionsSql = prepared('find_suppressions')`
  select encode(subject_hash, 'hex') as hash from suppression where subject_hash = any($1::bytea[])`;

const NOBODY_MS = 1_000;

const suppressSql = `
  insert into suppression (subject_hash, receipt_id) select unnest($1::bytea[]), $2 on conflict do nothing`;

/** What was suppressed together with $1 is lifted together; what another deletion has suppressed as well stays. */
const liftSql = `
  with lifted as (
    delete from suppression where receipt_id in (select receipt_id from suppression where subject_hash = $1)
    returning subject_hash, receipt_id
  )
  select count(distinct subject_hash)::int as count from lifted
  where not exists (
    select from suppression s
    where s.subject_hash = lifted.subject_hash and s.receipt_id not in (select receipt_id from lifted))`;

/** A process may take PostgreSQL's clock to be ahead by so much. */
const CLOCK_ERROR_MS = 1_000;

const noteErasedSql = `
  with forgotten as (
    delete from erased_id where erased_at < now() - make_interval(days => $2) and subject_hash <> all($1::bytea[])
  )
  insert into erased_id (subject_hash, erased_at) select unnest($1::bytea[]), clock_timestamp()
  on conflict (subject_hash) do update set erased_at = excluded.erased_at`;

const anyRefusalSql = prepared('any_refusal')`
  select exists (select from suppression) or exists (select from erased_id) as "any"`;

const findRefusalsSql = prepared('find_refusals')`
    select encode(subject_hash, 'hex') as hash, bool_or(suppressed) as suppressed, max("erasedMs") as "erasedMs"
    from (
      select subject_hash, true as suppressed, 0::float8 as "erasedMs" from suppression
      union all
      select subject_hash, false, extract(epoch from erased_at)::float8 * 1000 + ${CLOCK_ERROR_MS} from erased_id
    ) as refusal
    where subject_hash = any($1::bytea[])
    group by subject_hash`;

interface Refusal {
  readonly hash: string;
  readonly suppressed: boolean;
  /** Nothing that is older may name the subject; 0 when it was not erased lately. In milliseconds since 1970. */
  readonly erasedMs: number;
}

/** People whose events are refused. Only the pseudonym of each id is kept, so that the list itself names no person. */
@Injectable()
export class Suppressions {
  /** Until then the list is taken to be empty, as it was found to be. */
  private nobodyUntilMs = 0;

  constructor(
    private readonly pseudonyms: Pseudonyms,
    private readonly config: Config,
  ) {}

  /** @param receiptId of the deletion: what joins the ids, once nothing else does. */
  async add(subjects: readonly Subject[], receiptId: string, tx: Tx): Promise<void> {
    const hashes = [...(await this.pseudonyms.of(subjects, tx)).values()];
    await tx.query(suppressSql, [hashes, receiptId]);
  }

  /**
   * Takes events about the subject again, and about all ids that were suppressed together with it and by no other
   * deletion; says how many.
   */
  async lift(subject: Subject, tx: Tx): Promise<number> {
    const hash = (await this.pseudonyms.of([subject], tx)).get(subject);
    const [lifted] = await tx.query<{ count: number }>(liftSql, [hash]);
    return lifted?.count ?? 0;
  }

  /**
   * Events about erased people that came before and are written after the transaction: {@link findRefused}. A request
   * of a webhook may be made events of as long as rejected events are kept.
   */
  async noteErased(subjects: readonly Subject[], tx: Tx): Promise<void> {
    const hashes = [...(await this.pseudonyms.of(subjects, tx)).values()];
    await tx.query(noteErasedSql, [hashes, this.config.events.rejectedRetentionDays]);
  }

  /** Those that are of somebody who is suppressed, or name somebody who was erased since. */
  async findRefused<E extends AboutPeople>(events: readonly E[], tx: Tx): Promise<E[]> {
    if (events.length === 0) return [];
    const named = events.flatMap(({ subjects }) => subjects);
    const refusals = await this.findRefusals(named, tx);
    return events.filter(
      ({ id, subjects, owners }) =>
        owners.some((subject) => refusals.get(subject)?.suppressed === true) ||
        subjects.some((subject) => timeOfId(id) < (refusals.get(subject)?.erasedMs ?? 0)),
    );
  }

  /** Those of the events that are about a suppressed person, or that would make one known again. */
  async find(events: readonly CustomerEvent[], tx: Tx): Promise<CustomerEvent[]> {
    if (events.length === 0) return [];
    const [row] = await tx.query<{ any: boolean }>(anySuppressionSql);
    this.nobodyUntilMs = row?.any === true ? 0 : Date.now() + NOBODY_MS;
    if (row?.any !== true) return [];
    const hashes = await this.pseudonyms.of(events.flatMap(ownersOf), tx);
    const found = await tx.query<{ hash: string }>(findSuppressionsSql, [[...hashes.values()]]);
    const suppressed = new Set(found.map(({ hash }) => hash));
    const isSuppressed = (subject: Subject): boolean =>
      suppressed.has(hashes.get(subject)?.toString('hex') ?? '');
    return events.filter((event) => ownersOf(event).some(isSuppressed));
  }

  /** As `find`, for a first look that a second one follows: it may miss who has just become the first on the list. */
  async findEarly(events: readonly CustomerEvent[], tx: Tx): Promise<CustomerEvent[]> {
    return Date.now() < this.nobodyUntilMs ? [] : this.find(events, tx);
  }

  /** What is refused at no time is left out. */
  private async findRefusals(subjects: readonly Subject[], tx: Tx): Promise<Map<Subject, Refusal>> {
    const [row] = await tx.query<{ any: boolean }>(anyRefusalSql);
    if (row?.any !== true) return new Map();
    const hashes = await this.pseudonyms.of(subjects, tx);
    const found = await tx.query<Refusal>(findRefusalsSql, [[...hashes.values()]]);
    const refusals = new Map(found.map((each) => [each.hash, each]));
    return new Map(
      [...hashes].flatMap(([subject, hash]) => {
        const refusal = refusals.get(hash.toString('hex'));
        return refusal === undefined ? [] : [[subject, refusal]];
      }),
    );
  }
}

function ownersOf(event: CustomerEvent): Subject[] {
  return ownersAmong(subjectsNamedIn(event));
}
