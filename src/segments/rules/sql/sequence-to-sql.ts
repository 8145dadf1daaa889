import { matchingEventsSql } from '../../../events/reading/matching-events-sql';
import { SqlValues } from '../../../language/sql-values';
import { subjectsOfPeopleSql } from '../../../profiles/identity/subjects-sql';
import { EventFields } from './event-fields';
import { eventTestToSql } from './event-test-to-sql';
import { type Absent, namesIn, partsOf, type Sequence } from '../sequence';
import { beginOfStepSql, beginOfWindowMs, beginOfWindowSql, stepSql, type Window } from '../window';

/** The profile with the subject `root`, at the time `now`: SQL expressions. */
interface PersonScope {
  readonly root: string;
  readonly now: string;
  readonly values: SqlValues;
}

/** Whether a person has the sequence now. */
export function sequenceToSql(sequence: Sequence, scope: PersonScope): string {
  const { now } = scope;
  return `exists (select from (${spansOfPersonSql(sequence, scope)}) as v where v.begins <= ${now} and v.ends > ${now})`;
}

/** When the first of the times begins or ends that may change this, a timestamptz. */
export function nextSpanBoundSql(sequence: Sequence, scope: PersonScope): string {
  return `(select min(bound.at) from (${spansOfPersonSql(sequence, scope)}) as v, unnest(array[v.begins, v.ends]) as bound(at)
    where bound.at > ${scope.now})`;
}

/**
 * A statement that answers, for each `Span` of these people: the `index` of the sequence among the given ones, the
 * `subject`, and `fromMs` and `toMs`. The events are read once for all of the sequences.
 */
export function spansStatement(
  sequences: readonly Sequence[],
  subjects: readonly string[],
  nowMs: number,
): { readonly text: string; readonly params: readonly unknown[] } {
  const values = new SqlValues();
  const roots = values.add(subjects, 'text[]');
  const sinces = sequences.map(({ window }) => beginOfWindowMs(window, nowMs));
  const events = eventsSql(sequences, { roots, since: timeSql(Math.min(...sinces), values), values });
  const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`;
  const spans = sequences.map((sequence, index) => {
    const ofOne = spansSql(
      sequence,
      { index, since: timeSql(Number(sinces[index]), values), values },
      'seen',
    );
    return `
      select ${index} as index, v.root, range_agg(tstzrange(v.begins, v.ends)) as spans from (${ofOne}) as v
      where v.begins < v.ends group by v.root`;
  });
  const text = `
    with seen as materialized (${events})
    select m.index, m.root as subject, ${ms('lower(one.span)')} as "fromMs", ${ms('upper(one.span)')} as "toMs"
    from (${spans.join(' union all ')}) as m, unnest(m.spans) as one(span)`;
  return { text, params: values.params };
}

/**
 * A statement that answers the `id` and the `timestamp` of the newest events that one of the steps looks for, newest
 * first, and at which places of the rule these steps stand.
 */
export function sequenceEventsStatement(
  sequence: Sequence,
  { subject, nowMs, limit }: { readonly subject: string; readonly nowMs: number; readonly limit: number },
): { readonly text: string; readonly params: readonly unknown[] } {
  const values = new SqlValues();
  const roots = values.add([subject], 'text[]');
  const since = timeSql(beginOfWindowMs(sequence.window, nowMs), values);
  const steps = partsOf(sequence).map(
    ([path], part) => `case when e.${columnOf(0, part)} then ${values.text(path)} end`,
  );
  const text = `
    select e.id, e.at as "timestamp", array_remove(array[${steps.join(', ')}], null) as steps
    from (${eventsSql([sequence], { roots, since, values })}) as e
    order by e.at desc, e.id desc limit ${values.add(limit, 'integer')}`;
  return { text, params: values.params };
}

function spansOfPersonSql(sequence: Sequence, { root, now, values }: PersonScope): string {
  const since = beginOfWindowSql(sequence.window, now, values);
  const events = eventsSql([sequence], { roots: `array[${root}]`, since, values });
  return spansSql(sequence, { index: 0, since, values }, `(${events})`);
}

/** A sequence in a statement: its index among those that the events were read for, and when its window begins. */
interface IndexedSequence {
  readonly index: number;
  readonly since: string;
  readonly values: SqlValues;
}

/** A query with a row for each event that ends the sequence: the `root`, and when the sequence `begins` and `ends`. */
function spansSql(sequence: Sequence, indexed: IndexedSequence, events: string): string {
  const { steps, absent, window } = sequence;
  const { values } = indexed;
  const start = `e.start_${steps.length - 1}`;
  const isKept = absent === undefined ? '' : ` and not ${isFollowedSql(absent, values)}`;
  return `
    select e.root, ${beginsSql(absent, values)} as begins, ${endsSql(start, window, values)} as ends
    from (${chainsSql(sequence, indexed, events)}) as e where ${start} is not null${isKept}`;
}

/**
 * The `events`, each with the `start_<step>` of the sequences that end with it so far, by their last step: the time of
 * their first event, null where there are none; and with the time of the `next_absent` event, where one must not come.
 *
 * Step by step, each event gets the latest start: that of the last event of the step before, if that and its start are
 * near enough. Starts never go down from one event of a step to the next, so the last one is also the one with the
 * latest start, and the greatest values so far belong to it: where it is not near enough, none is. Two sorts and one
 * walk.
 */
export function chainsSql(
  { steps, allWithinSeconds, absent }: Sequence,
  { index, since, values }: IndexedSequence,
  events: string,
): string {
  const isStep = (part: number): string => `e.${columnOf(index, part)}`;
  let chains = `select e.*, case when ${isStep(0)} and e.at >= ${since} then e.at end as start_0 from ${events} as e`;
  for (const [at, { withinSeconds }] of steps.entries()) {
    if (at === 0) continue;
    const before = `e.start_${at - 1}`;
    const start = `max(${before}) over earlier`;
    const isNear = [
      [withinSeconds, `max(e.at) filter (where ${before} is not null) over earlier`] as const,
      [allWithinSeconds, start] as const,
    ].flatMap(([seconds, from]) =>
      seconds === undefined ? [] : [`e.at - ${from} <= ${secondsSql(seconds, values)}`],
    );
    chains = `
      select e.*, case when ${[isStep(at), ...isNear].join(' and ')} then ${start} end as start_${at} from (${chains}) as e
      window earlier as (partition by e.root order by e.at, e.id rows between unbounded preceding and 1 preceding)`;
  }
  if (absent === undefined) return chains;
  return `
    select e.*, min(e.at) filter (where ${isStep(steps.length)}) over later as next_absent from (${chains}) as e
    window later as (partition by e.root order by e.at desc, e.id desc rows between unbounded preceding and 1 preceding)`;
}

/** Whether what must not follow an event `e` of `chainsSql` came in its time. */
export function isFollowedSql({ withinSeconds }: Absent, values: SqlValues): string {
  return `coalesce(e.next_absent - e.at <= ${secondsSql(withinSeconds, values)}, false)`;
}

/** Since when somebody has the sequence that ends with an event `e`, a timestamptz. */
export function beginsSql(absent: Absent | undefined, values: SqlValues): string {
  return absent === undefined
    ? `'-infinity'::timestamptz`
    : `e.at + ${secondsSql(absent.withinSeconds, values)}`;
}

/** When the event of the time `start` leaves the window, a timestamptz. */
export function endsSql(start: string, { unit, count }: Window, values: SqlValues): string {
  return beginOfStepSql(`${stepSql(start, unit)} + ${values.add(count, 'integer')} + 1`, unit);
}

/** Whose events are read, and since when: SQL expressions, a text[] and a timestamptz. */
interface EventsToRead {
  readonly roots: string;
  readonly since: string;
  readonly values: SqlValues;
}

/**
 * The events of these people that a step looks for: `root`, `at`, `id`, and for each part of each sequence whether it
 * does.
 */
export function eventsSql(sequences: readonly Sequence[], { roots, since, values }: EventsToRead): string {
  const fields = new EventFields(values);
  const tests = sequences.flatMap((sequence, index) =>
    partsOf(sequence).map(([, step], part) => ({
      column: columnOf(index, part),
      test: `(e.name = ${values.text(step.event)} and ${eventTestToSql(step, fields)})`,
    })),
  );
  const events = matchingEventsSql({
    subjects: subjectsOfPeopleSql(roots),
    names: values.add([...new Set(sequences.flatMap(namesIn))], 'text[]'),
    since,
    columns: fields.columns,
  });
  return `
    select * from (
      select s.root, e."timestamp" as at, e.id, ${tests.map(({ test, column }) => `${test} as ${column}`).join(', ')}
      from ${events}
    ) as e
    where ${tests.map(({ column }) => `e.${column}`).join(' or ')}`;
}

/** Whether an event is what a part of a sequence looks for. */
export function columnOf(index: number, part: number): string {
  return `is_${index}_${part}`;
}

export function timeSql(ms: number, values: SqlValues): string {
  return `to_timestamp(${values.add(ms / 1_000, 'float8')})`;
}

function secondsSql(seconds: number, values: SqlValues): string {
  return `make_interval(secs => ${values.add(seconds, 'float8')})`;
}
