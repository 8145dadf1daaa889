import type { SequenceRule, SequenceRuleStep } from '../../src/segments/rules/rule';
import { isInWindow, type SentEvent } from './measure-oracle';
import { oracle } from './rule-oracle';

const MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What docs/segments.md says of a sequence, said plainly: every way through the events is tried. No two at one time. */
export function sequenceHolds(rule: SequenceRule, events: readonly SentEvent[], nowMs: number): boolean {
  const { sequence, not, allWithin } = rule;
  const isFollowed = (step: number, beforeMs: number, endMs: number): boolean => {
    const next = sequence[step];
    if (next === undefined) {
      if (not === undefined) return true;
      const untilMs = beforeMs + timeMs(not);
      return (
        nowMs >= untilMs && !events.some((event) => isStep(not, event) && isBetween(event, beforeMs, untilMs))
      );
    }
    const untilMs = Math.min(next.within === undefined ? Infinity : beforeMs + timeMs(next), endMs);
    return events.some(
      (event) =>
        isStep(next, event) &&
        isBetween(event, beforeMs, untilMs) &&
        isFollowed(step + 1, atMs(event), endMs),
    );
  };
  return events.some(
    (event) =>
      isStep(sequence[0] as SequenceRuleStep, event) &&
      isInWindow(rule, atMs(event), nowMs) &&
      isFollowed(
        1,
        atMs(event),
        allWithin === undefined ? Infinity : atMs(event) + timeMs({ within: allWithin }),
      ),
  );
}

const atMs = ({ timestamp }: SentEvent): number => Date.parse(timestamp);
const isBetween = (event: SentEvent, afterMs: number, untilMs: number): boolean =>
  atMs(event) > afterMs && atMs(event) <= untilMs;

function timeMs({ within = '' }: Pick<SequenceRuleStep, 'within'>): number {
  return Number.parseInt(within, 10) * (MS[within.at(-1) ?? ''] ?? 0);
}

export function isStep({ event, where = [] }: SequenceRuleStep, sent: SentEvent): boolean {
  return (
    sent.event === event &&
    where.every(({ field, operator, value }) =>
      oracle(operator, sent.properties[field.replace('properties.', '')], value ?? null),
    )
  );
}

/** The first and the last event of a way along some steps. */
interface Way {
  readonly first: SentEvent;
  readonly last: SentEvent;
}

/** Of how many steps, from the first on, there is a way that ends with this event; every one is tried. */
export function stepsReachedWith(
  end: SentEvent,
  rule: SequenceRule,
  events: readonly SentEvent[],
  nowMs: number,
): number {
  let ways = new Map<string, Way>();
  let reached = 0;
  for (const [at, step] of rule.sequence.entries()) {
    const next =
      at === 0
        ? begins(rule, events, nowMs)
        : [...ways.values()].flatMap((way) => continued(way, step, rule, events));
    ways = new Map(next.map((way) => [`${way.first.timestamp} ${way.last.timestamp}`, way]));
    if (next.some(({ last }) => last === end)) reached = at + 1;
  }
  return reached;
}

function begins(rule: SequenceRule, events: readonly SentEvent[], nowMs: number): Way[] {
  return events
    .filter(
      (event) => isStep(rule.sequence[0] as SequenceRuleStep, event) && isInWindow(rule, atMs(event), nowMs),
    )
    .map((event) => ({ first: event, last: event }));
}

function continued(
  { first, last }: Way,
  step: SequenceRuleStep,
  { allWithin }: SequenceRule,
  events: readonly SentEvent[],
): Way[] {
  const untilMs = Math.min(
    step.within === undefined ? Infinity : atMs(last) + timeMs(step),
    allWithin === undefined ? Infinity : atMs(first) + timeMs({ within: allWithin }),
  );
  return events
    .filter((event) => isStep(step, event) && isBetween(event, atMs(last), untilMs))
    .map((event) => ({ first, last: event }));
}
