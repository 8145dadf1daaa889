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

function isStep({ event, where = [] }: SequenceRuleStep, sent: SentEvent): boolean {
  return (
    sent.event === event &&
    where.every(({ field, operator, value }) =>
      oracle(operator, sent.properties[field.replace('properties.', '')], value ?? null),
    )
  );
}
