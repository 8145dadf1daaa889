import type { Dto } from '../../../api/client';

/** An event that has just come in. */
export type Tailed =
  | { readonly outcome: 'accepted'; readonly event: Dto['EventDto'] }
  | { readonly outcome: 'rejected'; readonly event: Dto['RejectedEventDto'] };

/** What is shown of the tail, the newest first. */
export interface TailList {
  readonly shown: readonly Tailed[];
  /** Came while the list stands still. */
  readonly waiting: readonly Tailed[];
  readonly isPaused: boolean;
  /** Events that came and are never shown. */
  readonly leftOut: number;
}

/** More than anybody reads, and few enough for any browser. */
export const MAX_SHOWN = 200;

export const EMPTY_TAIL: TailList = { shown: [], waiting: [], isPaused: false, leftOut: 0 };

/** The list with what came, in the order in which it came, and so many more that nobody is told of. */
export function addTailed(list: TailList, came: readonly Tailed[], leftOut: number): TailList {
  const newest = came.toReversed();
  if (!list.isPaused) {
    const shown = [...newest, ...list.shown].slice(0, MAX_SHOWN);
    const unseen = Math.max(0, newest.length - MAX_SHOWN);
    return { ...list, shown, leftOut: list.leftOut + leftOut + unseen };
  }
  const waiting = [...newest, ...list.waiting];
  const unseen = Math.max(0, waiting.length - MAX_SHOWN);
  return { ...list, waiting: waiting.slice(0, MAX_SHOWN), leftOut: list.leftOut + leftOut + unseen };
}

export function pauseTail(list: TailList): TailList {
  return { ...list, isPaused: true };
}

/** Shows what came meanwhile. */
export function resumeTail({ shown, waiting, leftOut }: TailList): TailList {
  return { shown: [...waiting, ...shown].slice(0, MAX_SHOWN), waiting: [], isPaused: false, leftOut };
}
