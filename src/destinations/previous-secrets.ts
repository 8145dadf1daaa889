import type { JsonObject } from '../events/customer-event';
import type { SecretBox } from '../platform/secrets/secret-box';
import type { Destination } from './destination.entity';

/** Secrets that others have replaced. */
export interface PreviousSecrets {
  readonly secrets: JsonObject;
  /** For how long receivers may still check against them, in milliseconds since 1970. */
  readonly untilMs: number;
}

/** How a row has them: the newest in columns of their own, as versions before know it. */
export type StoredPrevious = Pick<
  Destination,
  'previousSecretsSealed' | 'previousSecretsUntil' | 'earlierSecretsSealed'
>;

/** For how long a secret that is replaced still signs, unless somebody says otherwise. */
export const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60;

/** Each is a signature of every request. Who needs more rotates faster than receivers follow. */
const MAX_PREVIOUS = 4;

/** All that a row has, the newest first; without those that are not readable. */
export function openPrevious(
  { previousSecretsSealed, previousSecretsUntil, earlierSecretsSealed }: StoredPrevious,
  secretBox: SecretBox,
): PreviousSecrets[] {
  const open = (sealed: string | null): unknown =>
    JSON.parse((sealed === null ? undefined : secretBox.tryOpen(sealed)) ?? 'null');
  const secrets = open(previousSecretsSealed) as JsonObject | null;
  const earlier = (open(earlierSecretsSealed) as PreviousSecrets[] | null) ?? [];
  return secrets === null
    ? earlier
    : [{ secrets, untilMs: previousSecretsUntil?.getTime() ?? 0 }, ...earlier];
}

export function sealPrevious(previous: readonly PreviousSecrets[], secretBox: SecretBox): StoredPrevious {
  const [newest, ...earlier] = previous;
  return {
    previousSecretsSealed: newest === undefined ? null : secretBox.seal(JSON.stringify(newest.secrets)),
    previousSecretsUntil: newest === undefined ? null : new Date(newest.untilMs),
    earlierSecretsSealed: earlier.length === 0 ? null : secretBox.seal(JSON.stringify(earlier)),
  };
}

/** Those that have not ended. */
export function stillGood(previous: readonly PreviousSecrets[], nowMs: number): PreviousSecrets[] {
  return previous.filter(({ untilMs }) => nowMs < untilMs);
}

/** Why no more may be put aside; undefined while there is room. */
export function mistakeInPrevious(previous: readonly PreviousSecrets[]): string | undefined {
  if (previous.length <= MAX_PREVIOUS) return undefined;
  const firstEndMs = Math.min(...previous.map(({ untilMs }) => untilMs));
  return `${MAX_PREVIOUS} secrets before it sign as well; the next of them ends at ${new Date(firstEndMs).toISOString()}`;
}
