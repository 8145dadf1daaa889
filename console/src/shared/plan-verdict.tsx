import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ShortValue } from './short-value';
import { valueAt } from './value-at';

interface Violation {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

interface Verdict {
  readonly violations?: readonly Violation[];
  readonly omitted?: readonly string[];
}

/** What its tracking plan has found wrong with an event: `properties.total: It must be number. It is "x".` */
export function PlanVerdict({ event }: { readonly event: unknown }): ReactNode {
  const { violations = [], omitted = [] } = verdictOf(event);
  return (
    <>
      {violations.map(({ path, message }, index) => (
        <Text key={index} size="sm">
          {path === '' ? message : `${path}: ${message}`} <ValueAt event={event} path={path} />
        </Text>
      ))}
      {omitted.length > 0 && <Text size="sm">Omitted: {omitted.join(', ')}.</Text>}
    </>
  );
}

/** Nothing where the event has nothing, or has it no more; the event as a whole is shown elsewhere. */
export function ValueAt({ event, path }: { readonly event: unknown; readonly path: string }): ReactNode {
  const value = path === '' ? undefined : valueAt(event, path);
  if (value === undefined) return null;
  return (
    <>
      It is <ShortValue value={value} />.
    </>
  );
}

/** In what an event differs from its tracking plan. */
export function violationsOf(event: unknown): readonly Violation[] {
  return verdictOf(event).violations ?? [];
}

/** The service writes it into `context.trackingPlan` of each event that a plan has judged. */
function verdictOf(event: unknown): Verdict {
  const { context } = (event ?? {}) as { readonly context?: { readonly trackingPlan?: Verdict } };
  return context?.trackingPlan ?? {};
}
