import { Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { useCan } from '../../api/me';
import { ConfirmButton } from '../../shared/confirm-button';
import { Page } from '../../shared/page';
import { personPath } from '../../shared/person-link';
import { To } from '../../shared/to';
import { paramsOf, type PersonKey } from './person-key';

/** Nothing is known of an id. It may be one that was deleted, and is suppressed or shall be. */
export function UnknownPerson({ personKey }: { readonly personKey: PersonKey }): ReactNode {
  const { id, by } = personKey;
  const mayAct = useCan('privacy');
  return (
    <Page title={id === '' ? 'Nobody' : id}>
      <Stack>
        <Text>
          No accepted event was about {by === 'userId' ? 'a user' : 'a visitor'} with this id, or all about it
          was deleted.{' '}
          {by === 'userId' ? (
            <To href={personPath({ anonymousId: id })}>Look for it as an anonymous id</To>
          ) : (
            <To href={personPath({ userId: id })}>Look for it as a user id</To>
          )}
        </Text>
        {mayAct && id !== '' && <Suppression personKey={personKey} />}
      </Stack>
    </Page>
  );
}

function Suppression({ personKey }: { readonly personKey: PersonKey }): ReactNode {
  const [done, setDone] = useState('');
  const { id } = personKey;
  const { path, query } = paramsOf(personKey);
  return (
    <>
      <Group gap="xs">
        <ConfirmButton
          label="Suppress"
          consequence={`Events about “${id}” are answered with 200 and dropped from now on, until somebody lifts the suppression.`}
          action={() =>
            bodyOf(
              api.DELETE('/profiles/{userId}', { params: { path, query: { ...query, suppress: 'true' } } }),
            )
          }
          onDone={() => setDone(`Events about “${id}” are dropped from now on.`)}
        />
        <ConfirmButton
          harmless
          label="Lift the suppression"
          consequence={`Events about “${id}” and the ids that were suppressed with it are taken again. What was dropped stays dropped.`}
          action={() => bodyOf(api.DELETE('/profiles/{userId}/suppression', { params: { path, query } }))}
          onDone={() => setDone(`Events about “${id}” are taken again.`)}
        />
      </Group>
      <Text aria-live="polite">{done}</Text>
    </>
  );
}
