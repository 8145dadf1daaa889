import type { StreamMessage } from './event-stream';

interface Problem {
  readonly code: string;
  readonly path: string;
}

/** As far as the terminal shows it; see `EventDto`, `RejectedEventDto` and `QuarantinedEventDto`. */
interface Shown {
  readonly receivedAt: string;
  readonly type: string | null;
  readonly name: string | null;
  readonly userId?: string | null;
  readonly anonymousId?: string | null;
  readonly messageId: string | null;
  readonly problems?: readonly Problem[];
  /** Of one that is quarantined: with what its tracking plan found. */
  readonly event?: {
    readonly context?: { readonly trackingPlan?: { readonly violations?: readonly Problem[] } };
  };
}

const OUTCOME_WIDTH = 11;
const NAME_WIDTH = 28;
const PERSON_WIDTH = 24;

/** One line for people: when, what became of it, type, name, person or what is wrong, messageId. */
export function describeEvent({ type: outcome, data }: StreamMessage): string {
  if (outcome === 'left_out') {
    return `… and ${(JSON.parse(data) as { readonly count: number }).count} more that are not shown`;
  }
  const event = JSON.parse(data) as Shown;
  const person = event.userId ?? event.anonymousId ?? '-';
  const problems = (event.problems ?? event.event?.context?.trackingPlan?.violations)
    ?.map(({ code, path }) => (path === '' ? code : `${path} ${code}`))
    .join(', ');
  const columns = [
    event.receivedAt.slice(11, 23),
    outcome.padEnd(OUTCOME_WIDTH),
    (event.type ?? '-').padEnd(8),
    (event.name ?? '-').padEnd(NAME_WIDTH),
    (problems ?? person).padEnd(PERSON_WIDTH),
    event.messageId ?? '-',
  ];
  return columns.map(printable).join('  ').trimEnd();
}

/** Anybody may send events, and a terminal obeys control characters. */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, (character) =>
    JSON.stringify(character)
      .slice(1, -1)
      .replace(/^\P{ASCII}$/u, '\u{FFFD}'),
  );
}
