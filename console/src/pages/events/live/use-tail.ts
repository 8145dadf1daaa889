import { useCallback, useEffect, useState } from 'react';
import { api, bodyOf, type QueryOf } from '../../../api/client';
import {
  addTailed,
  EMPTY_TAIL,
  OUTCOMES,
  pauseTail,
  resumeTail,
  type Tailed,
  type TailList,
} from './tail-list';

/** Fifty events a second would be drawn fifty times. */
const SHOW_EVERY_MS = 250;

export type TailQuery = QueryOf<'/events/tail'>;

/** The tail as it comes in. */
export interface Tail {
  readonly list: TailList;
  readonly state: 'connecting' | 'listening' | 'ended';
  /** Why it ended. */
  readonly error: unknown;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly clear: () => void;
  readonly listenAgain: () => void;
}

/** Listens to the events that come in and pass a filter, as long as the page is open. */
export function useTail(query: TailQuery): Tail {
  const [list, setList] = useState(EMPTY_TAIL);
  const [state, setState] = useState<Tail['state']>('connecting');
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  const asked = new URLSearchParams(query as Record<string, string>).toString();
  useEffect(() => {
    setState('connecting');
    setError(undefined);
    return listen(asked, {
      onNews: (came, leftOut) => setList((before) => addTailed(before, came, leftOut)),
      onState: setState,
      onEnd: setError,
    });
  }, [asked, tries]);
  return {
    list,
    state,
    error,
    pause: useCallback(() => setList(pauseTail), []),
    resume: useCallback(() => setList(resumeTail), []),
    clear: useCallback(() => setList(({ isPaused }) => ({ ...EMPTY_TAIL, isPaused })), []),
    listenAgain: useCallback(() => setTries((before) => before + 1), []),
  };
}

interface Listener {
  readonly onNews: (came: readonly Tailed[], leftOut: number) => void;
  readonly onState: (state: Tail['state']) => void;
  readonly onEnd: (error: unknown) => void;
}

/** @returns what stops it */
function listen(asked: string, { onNews, onState, onEnd }: Listener): () => void {
  const source = new EventSource(`/events/tail?${asked}`);
  let isStopped = false;
  let came: Tailed[] = [];
  let leftOut = 0;
  for (const outcome of OUTCOMES)
    source.addEventListener(outcome, ({ data }: MessageEvent<string>) => {
      came.push({ outcome, event: JSON.parse(data) });
    });
  source.addEventListener('left_out', ({ data }: MessageEvent<string>) => {
    leftOut += (JSON.parse(data) as { count: number }).count;
  });
  source.addEventListener('open', () => onState('listening'));
  source.addEventListener('error', () => {
    // A connection that was lost is made again by the browser, and goes on where it was.
    if (source.readyState !== EventSource.CLOSED) return onState('connecting');
    onState('ended');
    // Who listens again meanwhile is not told of the time before.
    void whyItEnded(asked).then((error) => !isStopped && onEnd(error));
  });
  const timer = setInterval(() => {
    if (came.length > 0 || leftOut > 0) onNews(came, leftOut);
    came = [];
    leftOut = 0;
  }, SHOW_EVERY_MS);
  return () => {
    isStopped = true;
    clearInterval(timer);
    source.close();
  };
}

/** An `EventSource` does not tell what was answered, so the same is asked once more. */
async function whyItEnded(asked: string): Promise<unknown> {
  const query = { ...Object.fromEntries(new URLSearchParams(asked)), seconds: 1 } as TailQuery;
  return bodyOf(api.GET('/events/tail', { params: { query }, parseAs: 'text' })).then(
    () => new Error('The stream ended.'),
    (error: unknown) => error,
  );
}
