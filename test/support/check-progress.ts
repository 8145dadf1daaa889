import type { SequenceRule, SequenceRuleStep } from '../../src/segments/rules/rule';
import { isInWindow, type SentEvent } from './measure-oracle';
import { isStep, sequenceHolds, stepsReachedWith } from './sequence-oracle';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How far somebody came along a sequence, as the API says it. */
export interface Progress {
  readonly events: readonly { readonly step: string; readonly id: string; readonly timestamp: string }[];
  readonly stop?: Stop;
}

interface Stop {
  readonly reason: string;
  readonly step: string;
  readonly limit?: string;
  readonly limitedBy?: string;
  readonly event?: { readonly id: string; readonly timestamp: string };
}

/** What a progress is of. */
interface Known {
  readonly rule: SequenceRule;
  readonly events: readonly SentEvent[];
  readonly nowMs: number;
}

/** Holds what the API says against docs/segments.md, by trying every way and what would be if more came. */
export function checkProgress(progress: Progress, known: Known): void {
  const { rule, events, nowMs } = known;
  const way = progress.events.map(({ timestamp }) => sentAt(timestamp, events));
  expect(progress.events.map(({ step }) => step)).toEqual(way.map((_, at) => `sequence[${at}]`));
  const furthest = furthestOf(known);
  if (furthest === 0) return checkOutside(progress, way, known);
  expect(way).toHaveLength(furthest);
  expect(furthestOf({ rule, events: way, nowMs })).toBe(furthest);
  const { stop } = progress;
  expect(stop === undefined).toBe(sequenceHolds(rule, events, nowMs));
  if (stop?.step === 'not') checkNot(stop, way, known);
  else if (stop !== undefined) checkStep(stop, way, known);
}

function checkOutside({ stop }: Progress, way: readonly SentEvent[], { rule, events, nowMs }: Known): void {
  const { within: _within, from: _from, to, ...others } = rule;
  const anyTime = { ...others, within: '3000d' };
  expect(way).toHaveLength(furthestOf({ rule: anyTime, events, nowMs }));
  const [first] = way;
  if (first === undefined) return expect(stop).toEqual({ reason: 'never_came', step: 'sequence[0]' });
  expect(isInWindow(rule, atMs(first), nowMs)).toBe(false);
  const isAfter = to !== undefined && atMs(first) >= Date.parse(to);
  expect(stop).toMatchObject({ reason: isAfter ? 'after_window' : 'before_window', step: 'sequence[0]' });
  expect(atMs(first) < limitOf(stop)).toBe(!isAfter);
}

function checkStep(stop: Stop, way: readonly SentEvent[], { rule, events, nowMs }: Known): void {
  const next = rule.sequence[way.length] as SequenceRuleStep;
  const last = way.at(-1) as SentEvent;
  const limit = limitOf(stop);
  const later = events.filter((event) => isStep(next, event) && atMs(event) > atMs(last));
  expect(stop.step).toBe(`sequence[${way.length}]`);
  expect(stop.reason).toBe(nowMs <= limit ? 'waiting' : later.length === 0 ? 'never_came' : 'too_late');
  if (stop.reason === 'too_late') {
    const [soonest] = later.toSorted((one, other) => atMs(one) - atMs(other));
    expect(stop.event?.timestamp).toBe(soonest?.timestamp);
    expect(atMs(soonest as SentEvent)).toBeGreaterThan(limit);
  }
  const isOfWindow = stop.limitedBy === 'within' || stop.limitedBy === undefined;
  /** Undefined where no such event can be, or another one is at that time. */
  const reachedAt = (ms: number): number | undefined => {
    const event = somethingFor(next, ms);
    if (event === undefined || events.some((one) => atMs(one) === ms)) return undefined;
    return stepsReachedWith(event, rule, [...events, event], Math.max(nowMs, ms));
  };
  expect([way.length + 1, undefined]).toContain(reachedAt(isOfWindow ? limit - 1 : limit));
  expect(reachedAt(limit + 1)).not.toBe(way.length + 1);
}

function checkNot(stop: Stop, way: readonly SentEvent[], { rule, events, nowMs }: Known): void {
  const [last, limit] = [way.at(-1) as SentEvent, limitOf(stop)];
  const holdsAt = (ms: number): boolean => sequenceHolds(rule, events, ms);
  if (stop.reason === 'waiting') {
    expect(limit).toBeGreaterThan(nowMs);
    expect(holdsAt(limit)).toBe(true);
    return;
  }
  for (const ms of [limit - 1, limit, nowMs + HOUR_MS, nowMs + DAY_MS, nowMs + 40 * DAY_MS])
    expect(holdsAt(Math.max(ms, nowMs))).toBe(false);
  if (stop.reason === 'window_ends_first') return;
  expect(stop.reason).toBe('followed');
  const came = sentAt(stop.event?.timestamp, events);
  expect(isStep(rule.not as SequenceRuleStep, came)).toBe(true);
  expect(atMs(came)).toBeGreaterThan(atMs(last));
  expect(atMs(came)).toBeLessThanOrEqual(limit);
}

/** An event of this time that a step looks for, if there is one. */
function somethingFor(step: SequenceRuleStep, ms: number): SentEvent | undefined {
  return [0, 1, 2]
    .map((n) => ({ event: step.event, timestamp: new Date(ms).toISOString(), properties: { n } }))
    .find((event) => isStep(step, event));
}

function furthestOf({ rule, events, nowMs }: Known): number {
  return Math.max(0, ...events.map((event) => stepsReachedWith(event, rule, events, nowMs)));
}

function sentAt(timestamp: string | undefined, events: readonly SentEvent[]): SentEvent {
  const found = events.find((event) => event.timestamp === timestamp);
  if (found === undefined) throw new Error(`Nothing was sent at ${timestamp}.`);
  return found;
}

const limitOf = (stop: Stop | undefined): number => Date.parse(stop?.limit ?? '');
const atMs = ({ timestamp }: SentEvent): number => Date.parse(timestamp);
