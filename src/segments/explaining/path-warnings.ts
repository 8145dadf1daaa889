import { type EventPath, joinPath, valueAt } from '../../events/event-path';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import type { AskedPath } from './asked-paths';
import { closestPath, pathsIn } from './closest-path';
import type { SampledEvent, SampledEvents } from './event-samples';
import { isLookedAt, kindOf, kindWords } from './value-kinds';

/** Paths that none of the newest events has, and those where all have values that what looks at them cannot use. */
export function pathWarnings(asked: readonly AskedPath[], samples: SampledEvents): ProblemDetail[] {
  return asked.flatMap((one) => {
    const ofName = samples.get(one.event) ?? [];
    const events = ofName.filter(({ type }) => one.type === undefined || type === one.type);
    const warning = events.length === 0 ? undefined : warnOf(one, events);
    return warning === undefined ? [] : { path: one.rulePath, ...warning };
  });
}

type Warning = Pick<ProblemDetail, 'code' | 'message'>;

function warnOf(asked: AskedPath, events: readonly SampledEvent[]): Warning | undefined {
  const contents = events.map(({ content }) => content);
  const values = contents.map((content) => valueAt(content, asked.path)).filter((one) => one !== undefined);
  if (values.length === 0)
    return unknownPath(asked, events.length, closestPath(asked.path, pathsIn(contents)));
  const { lookedAt } = asked;
  const kinds = values.map(kindOf).filter((kind) => kind !== undefined);
  if (lookedAt === undefined || kinds.length === 0) return undefined;
  if (kinds.some((kind) => isLookedAt(kind, lookedAt))) return undefined;
  return unusableValues(asked, events.length, [kindWords(kinds), kindWords(lookedAt)]);
}

function unknownPath({ event, path }: AskedPath, count: number, meant: string | undefined): Warning {
  const hint = meant === undefined ? '.' : `; did you mean ${code(meant)}?`;
  const none = count === 1 ? 'The only' : `None of the newest ${count}`;
  const has = count === 1 ? 'has no' : 'has';
  const message = `${none} stored ${eventWords(event, count)} ${has} ${pathWords(path)}${hint}`;
  return { code: 'unknown_path', message };
}

function unusableValues(
  { event, path, use }: AskedPath,
  count: number,
  [found, lookedAt]: readonly [found: string, lookedAt: string],
): Warning {
  const where = count === 1 ? 'the only' : `the newest ${count}`;
  const message = `In ${where} stored ${eventWords(event, count)} there are ${found} at ${pathWords(path)}: ${use} looks at ${lookedAt} alone.`;
  return { code: 'unusable_values', message };
}

function eventWords(name: string, count: number): string {
  return `${count === 1 ? 'event' : 'events'} called ${code(name)}`;
}

function pathWords(path: EventPath): string {
  return code(joinPath(path));
}

function code(text: string): string {
  return `\`${text}\``;
}
