import { printable } from './describe-event';
import type { TrialOutcome, PlanPreview } from './management-client';

/** From nothing to the worst. */
const OUTCOMES = ['pass', 'observe', 'omit', 'quarantine', 'block'] as const satisfies TrialOutcome[];

/** What became of a trial. */
export interface TriedPlan {
  /** Of the plan; undefined when its file gives it none. */
  readonly plan: string | undefined;
  readonly source: { readonly id: string; readonly name: string };
  readonly preview: PlanPreview;
}

const WORDS: Readonly<Record<TrialOutcome, string>> = {
  pass: 'would pass',
  observe: 'would be accepted with a warning',
  omit: 'would lose what is wrong',
  quarantine: 'would be quarantined',
  block: 'would be rejected',
};

/**
 * A trial for people, and for the log of CI: what would have become of the events, then each way in which they differ,
 * with examples. Each line begins with words of ours: what stands in names is no command to whatever reads the log.
 */
export function describeTrial({ plan, source, preview }: TriedPlan): string {
  const { events, complete, outcomes, violations } = preview;
  const title = plan === undefined ? 'The plan' : `Tracking plan ${JSON.stringify(plan)}`;
  const counted = OUTCOMES.filter((outcome) => outcomes[outcome] > 0).map(
    (outcome) => `  ${outcomes[outcome]} ${WORDS[outcome]}`,
  );
  const name = JSON.stringify(source.name);
  if (events === 0 && complete)
    return `${printable(`${title} was not tried: source ${name} has no stored events.`)}\n`;
  const lines = [
    `${title} on the last ${count(events, 'stored event')} of source ${name}:`,
    ...(complete ? [] : ['  (there was no time to look at as many as were asked for)']),
    ...counted,
    ...violations.flatMap(describeViolation),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

function describeViolation(violation: PlanPreview['violations'][number]): string[] {
  const { rule, path, code, message, events, outcomes, examples } = violation;
  const became = OUTCOMES.flatMap((outcome) => {
    const number = outcomes[outcome] ?? 0;
    return number === 0 ? [] : [`${outcome} ${number}`];
  });
  return [
    `  - ${count(events, 'event')} (${became.join(', ')}): ${rule}${path === '' ? '' : `, ${path}`}: ${message} [${code}]`,
    ...examples.map(
      (one) =>
        `      such as ${one.receivedAt} messageId ${one.messageId} (event ${one.eventId}): ${one.outcome}`,
    ),
  ];
}

/** Whether events would have met with an action or a stronger one. */
export function meets({ outcomes }: PlanPreview, action: TrialOutcome): boolean {
  return OUTCOMES.slice(OUTCOMES.indexOf(action)).some((outcome) => outcomes[outcome] > 0);
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
