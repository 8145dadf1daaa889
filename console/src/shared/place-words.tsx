import { createContext, type ReactNode, useContext } from 'react';

/** What people call a place that the service names; undefined where the form has no other word for it. */
type PlaceWords = (path: string) => string | undefined;

const Words = createContext<PlaceWords>(() => undefined);

interface PlacesInWordsProps {
  readonly words: PlaceWords;
  readonly children: ReactNode;
}

/** Lets what the service says be told with the words of the fields inside: `Rule 1, Before` for `rules[0].to`. */
export function PlacesInWords({ words, children }: PlacesInWordsProps): ReactNode {
  return <Words value={words}>{children}</Words>;
}

export function usePlaceWords(): PlaceWords {
  return useContext(Words);
}
