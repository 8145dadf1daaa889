import { OptionalInteger } from '../../platform/http/input/optional-members';

const DAY_SECONDS = 24 * 3600;

/** How a write key is replaced. */
export class RotateWriteKeyDto {
  @OptionalInteger(0, 30 * DAY_SECONDS, {
    default: DAY_SECONDS,
    example: DAY_SECONDS,
    description:
      'For how long the present key goes on working, in seconds. 0: it stops at once, and the key before it if ' +
      'that still works. There are two keys at most: until the one before has ended, only 0 is taken.',
  })
  overlapSeconds?: number;
}

export const DEFAULT_KEY_OVERLAP_SECONDS = DAY_SECONDS;
