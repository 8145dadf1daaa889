import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { Disclosure } from './disclosure';
import { fromLocalTime, toLocalTime } from './local-time';
import { SuggestedText } from './suggested-text';

/** As in `data-table.module.css`. */
const PHONE = '(max-width: 48em)';

/** Something to search by: a member of the address, and of the query of the API. */
export interface Filter<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** Text without it. */
  readonly kind?: 'time' | readonly Choice[];
  /** Of a text: some that are known, to choose from. */
  readonly suggestions?: readonly string[];
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

export type FilterValues<Name extends string> = Partial<Record<Name, string>>;

/** What the address says to search by. What is empty is left out. */
export function useFilterValues<Name extends string>(filters: readonly Filter<Name>[]): FilterValues<Name> {
  const [search] = useSearchParams();
  return valuesOf(filters, (name) => search.get(name));
}

interface FiltersProps<Name extends string> {
  readonly filters: readonly Filter<Name>[];
  /** What the button does. */
  readonly action?: string | undefined;
  /** Told whether the form says something else than the address: what is listed was not found by it. */
  readonly onUnsearched?: ((isUnsearched: boolean) => void) | undefined;
}

/**
 * A form whose values are in the address: a search can be passed on, and the way back leads to it. On a phone several
 * fields are folded, since they would be all that is in sight.
 */
export function Filters<Name extends string>(props: FiltersProps<Name>): ReactNode {
  const { filters } = props;
  const given = Object.keys(useFilterValues(filters)).length;
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const form = <FilterForm {...props} />;
  if (!isPhone || filters.length === 1) return form;
  return <Disclosure summary={given === 0 ? 'Filters' : `Filters (${given})`}>{form}</Disclosure>;
}

function FilterForm<Name extends string>({
  filters,
  action = 'Search',
  onUnsearched,
}: FiltersProps<Name>): ReactNode {
  const [search, setSearch] = useSearchParams();
  const [values, setValues] = useState(() => valuesOf(filters, (name) => search.get(name)));
  const [shown, setShown] = useState(search.toString());
  // The way back, or a link, has led to another search. The form itself stays, and who is in one of its fields too.
  if (shown !== search.toString()) {
    setShown(search.toString());
    setValues(valuesOf(filters, (name) => search.get(name)));
  }
  const typed = valuesOf(filters, (name) => values[name]?.trim());
  const searched = valuesOf(filters, (name) => search.get(name)?.trim());
  const isUnsearched = filters.some(({ name }) => typed[name] !== searched[name]);
  useEffect(() => {
    onUnsearched?.(isUnsearched);
    // What was typed is gone with the form, as on a phone where it is folded.
    return () => onUnsearched?.(false);
  }, [isUnsearched, onUnsearched]);
  const queries = useQueryClient();
  const apply = (wanted: FilterValues<Name>): void => {
    const next = new URLSearchParams(wanted as Record<string, string>);
    // Whoever searches for the same once more wants to know what has come since.
    if (next.toString() === search.toString()) void queries.invalidateQueries();
    else setSearch(next);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    apply(typed);
  };
  return (
    <form onSubmit={submit} role="search">
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
          {filters.map((filter) => (
            <FilterField
              key={filter.name}
              filter={filter}
              value={values[filter.name] ?? ''}
              onChange={(value) => setValues({ ...values, [filter.name]: value })}
            />
          ))}
        </SimpleGrid>
        <Group gap="xs">
          <Button type="submit">{action}</Button>
          <Button variant="default" onClick={() => (setValues({}), apply({}))}>
            Clear
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FilterFieldProps {
  readonly filter: Filter<string>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterField({ filter: { label, kind, suggestions }, value, onChange }: FilterFieldProps): ReactNode {
  if (suggestions !== undefined)
    return (
      <SuggestedText w="100%" label={label} value={value} suggestions={suggestions} onChange={onChange} />
    );
  if (kind === undefined)
    return (
      <TextInput
        label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  if (kind === 'time')
    return (
      <TextInput
        type="datetime-local"
        step={1}
        label={label}
        value={toLocalTime(value)}
        onChange={({ currentTarget }) => onChange(fromLocalTime(currentTarget.value))}
      />
    );
  return (
    <NativeSelect
      label={label}
      data={[{ value: '', label: 'All' }, ...kind]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function valuesOf<Name extends string>(
  filters: readonly Filter<Name>[],
  read: (name: Name) => string | null | undefined,
): FilterValues<Name> {
  const given = filters.map(({ name }) => [name, read(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== '')) as FilterValues<Name>;
}
