import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Answered } from '../../shared/answered';
import { ChoiceList } from '../../shared/choice-list';
import { useProblemsIn } from '../../shared/field-problems';

export interface ChosenProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

interface ChoicesFieldProps<Thing> extends ChosenProps {
  /** Those that there are. */
  readonly things: UseQueryResult<Thing[]>;
  readonly valueOf: (thing: Thing) => string;
  /** The member of a destination that it writes. */
  readonly path: string;
  readonly label: string;
  readonly description: string;
}

/** Any number of things of the service, by their names, that a destination is about. */
export function ChoicesField<Thing extends { readonly name: string }>({
  things,
  valueOf,
  path,
  ...list
}: ChoicesFieldProps<Thing>): ReactNode {
  const problem = useProblemsIn(path);
  return (
    <Answered query={things}>
      {(known) => (
        <ChoiceList
          {...list}
          choices={known.map((thing) => ({ value: valueOf(thing), label: thing.name }))}
          error={problem}
        />
      )}
    </Answered>
  );
}
