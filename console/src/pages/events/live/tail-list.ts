import type { Dto } from '../../../api/client';

/** What becomes of an event that comes in. */
export const OUTCOMES = ['accepted', 'quarantined', 'rejected'] as const;

/** An event that has just come in. */
export type Tailed =
  | { readonly outcome: 'accepted'; readonly event: Dto['EventDto'] }
  | { readonly outcome: 'quarantined'; readonly event: Dto['QuarantinedEventDto'] }
  | { readonly outcome: 'rejected'; readonly event: Dto['RejectedEventDto'] };

/** What is shown of the tail, the newest first. */
export interface TailList {
  readonly shown: readonly Tailed[];
  /** Came while the list stands still. */
  readonly waiting: readonly Tailed[];
  readonly isPaused: boolean;
  /** Events that the service did not tell of: it tells of so many a second at most. */
  readonly leftOut: number;
  /** Events that came at once, or while the list stood still, and were too many to keep. */
  readonly notKept: number;
}

/** More than anybody reads, and few enough for any browser. */
export const MAX_SHOWN = 200;

export const EMPTY_TAIL: TailList = { shown: [], waiting: [], isPaused: false, leftOut: 0, notKept: 0 };

/**
 * The list with what came, in the order in which it came, and so many more that the service did not tell of. What is
 * told again after a connection was lost is there once.
 */
export function addTailed(list: TailList, came: readonly Tailed[], leftOut: number): TailList {
  const newest = newOf(list, came).toReversed();
  const before = list.isPaused ? list.waiting : [];
  const fresh = [...newest, ...before];
  const kept = fresh.slice(0, MAX_SHOWN);
  const counted = {
    ...list,
    leftOut: list.leftOut + leftOut,
    notKept: list.notKept + fresh.length - kept.length,
  };
  if (list.isPaused) return { ...counted, waiting: kept };
  return { ...counted, shown: [...kept, ...list.shown].slice(0, MAX_SHOWN) };
}

function newOf({ shown, waiting }: TailList, came: readonly Tailed[]): readonly Tailed[] {
  const known = new Set([...shown, ...waiting].map(({ event }) => event.id));
  return came.filter(({ event: { id } }) => !known.has(id) && known.add(id));
}

export function pauseTail(list: TailList): TailList {
  return { ...list, isPaused: true };
}

/** Shows what came meanwhile. */
export function resumeTail(list: TailList): TailList {
  const shown = [...list.waiting, ...list.shown].slice(0, MAX_SHOWN);
  return { ...list, shown, waiting: [], isPaused: false };
}
