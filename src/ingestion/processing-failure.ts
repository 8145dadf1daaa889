import { ContendedProfilesError } from '../profiles/contended-profiles.error';
import { isDataError } from './is-data-error';

/**
 * Why a transaction failed, which decides what to do: `race`, another one was faster, try again at once; `data`, it
 * will fail again as long as these events are in it; `outage`, anything else, which says nothing about the events.
 */
export type ProcessingFailure = 'race' | 'data' | 'outage';

/** Serialization failure and deadlock. */
const RACES = new Set(['40001', '40P01']);

export function failureOf(error: unknown): ProcessingFailure {
  if (error instanceof ContendedProfilesError) return 'race';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && RACES.has(code)) return 'race';
  if (isDataError(error)) return 'data';
  // Code that stumbles over an event will do so again.
  const stumbled = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return stumbled ? 'data' : 'outage';
}
