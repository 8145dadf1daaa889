import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client';
import { Answered } from '../../shared/answered';
import { Disclosure } from '../../shared/disclosure';
import { JsonView } from '../../shared/json-view';

/** The groups of a person; what is known of one is behind its name. */
export function PersonGroups({ groups }: { readonly groups: readonly string[] }): ReactNode {
  if (groups.length === 0) return <Text>The person belongs to no group.</Text>;
  return groups.map((id) => (
    <Disclosure key={id} summary={id}>
      <GroupTraits id={id} />
    </Disclosure>
  ));
}

function GroupTraits({ id }: { readonly id: string }): ReactNode {
  const group = useQuery({
    queryKey: ['groups', id],
    queryFn: () =>
      bodyOf(api.GET('/groups/{groupId}', { params: { path: { groupId: id }, query: { limit: 1 } } })),
  });
  return (
    <Answered query={group}>
      {({ traits }) => <JsonView name={`the traits of ${id}`} value={traits} />}
    </Answered>
  );
}
