import type { ProblemDetail } from '../../platform/http/problems/problem';
import type { BatchLimits } from '../connector';
import { compilePathTemplate } from './path-template';

/** How many events a webhook gets in one request. */
export interface WebhookBatch {
  readonly maxEvents?: number;
  readonly maxBytes?: number;
  readonly flushSeconds?: number;
}

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

/** Whole numbers. `maxBytes` bounds the memory of a try: the body of a request is in memory as a whole. */
export const BATCH_BOUNDS: Readonly<Record<keyof WebhookBatch, Bounds>> = {
  maxEvents: { minimum: 1, maximum: 10_000, default: 100 },
  maxBytes: { minimum: 1_024, maximum: 8 * 1024 * 1024, default: 1024 * 1024 },
  flushSeconds: { minimum: 1, maximum: 3_600, default: 10 },
};

export function batchLimitsOf({ maxEvents, maxBytes, flushSeconds }: WebhookBatch = {}): BatchLimits {
  return {
    maxEvents: maxEvents ?? BATCH_BOUNDS.maxEvents.default,
    maxBytes: maxBytes ?? BATCH_BOUNDS.maxBytes.default,
    flushSeconds: flushSeconds ?? BATCH_BOUNDS.flushSeconds.default,
  };
}

/** What is wrong with the member `batch` of a config. */
export function batchProblems(batch: Readonly<Record<string, unknown>>, url: string): ProblemDetail[] {
  const problems = Object.entries(batch).flatMap(([name, value]) => {
    const path = `batch.${name}`;
    if (!Object.hasOwn(BATCH_BOUNDS, name))
      return [{ path, code: 'unknown_field', message: `${path} is not a member of batch` }];
    const { minimum, maximum } = BATCH_BOUNDS[name as keyof WebhookBatch];
    const isGood = Number.isInteger(value) && minimum <= Number(value) && Number(value) <= maximum;
    const message = `${path} must be a whole number from ${minimum} to ${maximum}`;
    return isGood ? [] : [{ path, code: 'invalid', message }];
  });
  if (compilePathTemplate(url) !== undefined) {
    const message = 'batch is not for an address with fields of the event in its path';
    problems.push({ path: 'batch', code: 'not_supported', message });
  }
  return problems;
}
