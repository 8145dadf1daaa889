import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import {
  madeStatement,
  queryByKeptPlans,
  type StatementOf,
} from '../../platform/database/statements/made-statement';
import { type Sequence, sequenceKey, type Span } from '../rules/sequence';
import { spansStatement } from '../rules/sql/sequence-to-sql';

/** Whose sequences are needed, and which. */
interface SequencedWork {
  readonly facts: { readonly subject: Subject };
  readonly generations: readonly { readonly sequences: readonly Sequence[] }[];
}

/** Of one person, by `sequenceKey`. */
type PersonSequences = ReadonlyMap<string, readonly Span[]>;

export const NO_SEQUENCES: PersonSequences = new Map();

const spansOfSequences = madeStatement('spans_of_sequences');

/** A statement of so many is some hundred kilobytes of text. */
const SEQUENCES_AT_ONCE = 50;

interface SpanRow extends Span, Record<string, unknown> {
  readonly index: number;
  readonly subject: Subject;
}

/** When the people have the sequences that these definitions ask for: one statement, none where there are none. */
export async function readSequences(
  work: readonly SequencedWork[],
  nowMs: number,
  tx: Tx,
  statementOf: StatementOf = spansOfSequences,
): Promise<ReadonlyMap<Subject, PersonSequences>> {
  const { sequences, subjects } = neededOf(work);
  const found = new Map<Subject, Map<string, Span[]>>();
  const all = [...sequences];
  for (let from = 0; from < all.length; from += SEQUENCES_AT_ONCE) {
    const part = all.slice(from, from + SEQUENCES_AT_ONCE);
    const { text, params } = spansStatement(
      part.map(([, sequence]) => sequence),
      [...subjects],
      nowMs,
    );
    const [rows = []] = await queryByKeptPlans<SpanRow>([{ statement: statementOf(text), params }], tx);
    for (const { index, subject, fromMs, toMs } of rows) {
      const ofPerson = found.get(subject) ?? new Map<string, Span[]>();
      found.set(subject, ofPerson);
      const [key = ''] = part[index] ?? [];
      ofPerson.set(key, [...(ofPerson.get(key) ?? []), { fromMs, toMs }]);
    }
  }
  return found;
}

/** By `sequenceKey`; all of them are looked for in the events of all of the people. */
function neededOf(work: readonly SequencedWork[]): {
  readonly sequences: ReadonlyMap<string, Sequence>;
  readonly subjects: ReadonlySet<Subject>;
} {
  const sequences = new Map<string, Sequence>();
  const subjects = new Set<Subject>();
  for (const { facts, generations } of work) {
    for (const sequence of generations.flatMap((generation) => generation.sequences)) {
      sequences.set(sequenceKey(sequence), sequence);
      subjects.add(facts.subject);
    }
  }
  return { sequences, subjects };
}
