import type { CustomerEvent } from '../../events/customer-event';
import { withoutIndexes } from '../language/violation-path';
import type { Action, Verdict, Violation, ViolationCode } from '../language/plan';

/** Kinds of violations that are told apart: names of unplanned properties are made by clients. */
const MAX_KINDS = 1_000;
const MAX_EXAMPLES = 3;

/** Events that differ from a plan in the same way. */
interface ViolationKind {
  readonly rule: string;
  /** Without places in arrays: `properties.products[].price`. */
  readonly path: string;
  readonly code: ViolationCode;
  readonly keyword?: string;
  readonly message: string;
  events: number;
  /** The same by what becomes of them. */
  readonly outcomes: Record<Action, number>;
  readonly examples: ViolationExample[];
}

/** An event that differs, newest first. */
interface ViolationExample {
  readonly eventId: string;
  readonly messageId: string;
  readonly receivedAt: string;
  /** What becomes of the event. */
  readonly outcome: Action;
  /** With places in arrays. */
  readonly path: string;
}

/** Counts in what events differ from a plan, in bounded memory. */
export class ViolationKinds {
  private readonly kinds = new Map<string, ViolationKind>();

  /** @param stored the event that was judged */
  count({ outcome, violations }: Verdict, stored: CustomerEvent): void {
    if (outcome === 'pass') return;
    const counted = new Set<ViolationKind>();
    for (const violation of violations) {
      const kind = this.kindOf(violation);
      if (kind === undefined || counted.has(kind)) continue;
      counted.add(kind);
      kind.events += 1;
      kind.outcomes[outcome] += 1;
      if (kind.examples.length === MAX_EXAMPLES) continue;
      const { id: eventId, messageId, receivedAt } = stored;
      kind.examples.push({ eventId, messageId, receivedAt, outcome, path: violation.path });
    }
  }

  /** Those that most events have come first. */
  get all(): ViolationKind[] {
    return [...this.kinds.values()].toSorted((left, right) => right.events - left.events);
  }

  /** Undefined when there are too many. */
  private kindOf({ path: place, ...violation }: Violation): ViolationKind | undefined {
    const path = withoutIndexes(place);
    const { rule, code, keyword, message } = violation;
    const key = JSON.stringify([rule, path, code, keyword, message]);
    let kind = this.kinds.get(key);
    if (kind === undefined && this.kinds.size < MAX_KINDS) {
      const outcomes = { observe: 0, omit: 0, quarantine: 0, block: 0 };
      kind = { ...violation, path, events: 0, outcomes, examples: [] };
      this.kinds.set(key, kind);
    }
    return kind;
  }
}
