import { Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client';
import { Answered } from '../../shared/answered';
import { type Filter, Filters, useFilterValues } from '../../shared/filters';
import { PersonLink } from '../../shared/person-link';

const FILTERS: readonly Filter<'userId'>[] = [{ name: 'userId', label: 'User id' }];

/** The value of a computed trait for whomever one asks about. */
export function ValueOfPerson({ name }: { readonly name: string }): ReactNode {
  const { userId } = useFilterValues(FILTERS);
  return (
    <Stack>
      <Filters filters={FILTERS} action="Show" />
      {userId !== undefined && <Value key={userId} name={name} userId={userId} />}
    </Stack>
  );
}

interface ValueProps {
  readonly name: string;
  readonly userId: string;
}

function Value({ name, userId }: ValueProps): ReactNode {
  const person = useQuery({
    queryKey: ['people', userId, 'computed'],
    queryFn: () =>
      bodyOf(api.GET('/profiles/{userId}', { params: { path: { userId }, query: { limit: 1 } } })),
  });
  return (
    <Answered query={person}>
      {({ computed }) => (
        <Text component="div" size="sm" role="group" aria-label="Value">
          <PersonLink userId={userId} />{' '}
          {Object.hasOwn(computed, name) ? (
            <>
              has <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(computed[name])}</Code> now.
            </>
          ) : (
            'has no value now.'
          )}
        </Text>
      )}
    </Answered>
  );
}
