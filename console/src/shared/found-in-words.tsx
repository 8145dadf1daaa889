import { Fragment, type ReactNode } from 'react';
import type { Filter, FilterValues } from './filters';
import { Time } from './time';

interface FoundInWordsProps<Name extends string> {
  /** `dead letters`. */
  readonly what: string;
  readonly filters: readonly Filter<Name>[];
  readonly values: FilterValues<Name>;
}

/** What a search has found, by each filter that it has: for who is about to do something to all of it. */
export function FoundInWords<Name extends string>({
  what,
  filters,
  values,
}: FoundInWordsProps<Name>): ReactNode {
  const given = filters.filter(({ name }) => values[name] !== undefined);
  if (given.length === 0) return `all ${what}, without a filter`;
  return (
    <>
      all {what} where{' '}
      {given.map((filter, index) => (
        <Fragment key={filter.name}>
          {index > 0 && ' and '}
          <FilterInWords filter={filter} value={values[filter.name] ?? ''} />
        </Fragment>
      ))}
    </>
  );
}

interface FilterInWordsProps {
  readonly filter: Filter<string>;
  readonly value: string;
}

function FilterInWords({ filter: { label, kind = [] }, value }: FilterInWordsProps): ReactNode {
  if (kind !== 'time')
    return `${label} is “${kind.find((choice) => choice.value === value)?.label ?? value}”`;
  return (
    <>
      {label} <Time at={value} />
    </>
  );
}
