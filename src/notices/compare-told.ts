import type { Findings, Told } from './look';

interface Compared extends Pick<Findings, 'told'> {
  /** Ids of what is to be told. */
  readonly news: ReadonlySet<string>;
}

/**
 * What is news of how things are, and what is told of them from now on.
 * @param told what was told, by id
 * @param states of what is the matter now, by id; what was told and is not in it is over
 */
export function compareTold(told: ReadonlyMap<string, Told>, states: ReadonlyMap<string, string>): Compared {
  const news = [...states].filter(([id, state]) => told.get(id)?.state !== state);
  const over = [...told.keys()].filter((id) => !states.has(id));
  return {
    told: new Map<string, string | undefined>([...over.map((id) => [id, undefined] as const), ...news]),
    news: new Set(news.map(([id]) => id)),
  };
}
