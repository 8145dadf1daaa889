import { Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { ConfirmButton } from '../../shared/confirm-button';
import { Page } from '../../shared/page';
import { personPath } from '../../shared/person-link';
import { To } from '../../shared/to';
import { PersonActions } from './person-actions';
import { paramsOf, type PersonKey } from './person-key';

interface UnknownPersonProps {
  readonly personKey: PersonKey;
  readonly onErased: (erasure: Dto['ErasureDto']) => void;
}

/**
 * No event that was accepted is known of an id. Others may be, which are exported and deleted as well; or it was
 * deleted, and is suppressed or shall be.
 */
export function UnknownPerson({ personKey, onErased }: UnknownPersonProps): ReactNode {
  const { id, by } = personKey;
  const search = new URLSearchParams({ [by]: id }).toString();
  const mayAct = useCan('privacy');
  return (
    <Page
      title={id === '' ? 'Nobody' : id}
      actions={mayAct && id !== '' && <PersonActions personKey={personKey} onErased={onErased} />}
    >
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
        {id !== '' && (
          <Text>
            It may still be in events that were not accepted: look{' '}
            <To href={`/events/quarantined?${search}`}>among the quarantined ones</To> and{' '}
            <To href={`/events/rejected?${search}`}>among the rejected ones</To>. An export has them, and a
            deletion takes them, too.
          </Text>
        )}
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
          consequence={`Events about “${id}” are answered with 200 and dropped from now on, until somebody lifts the suppression. What is held about it, such as quarantined events, is deleted for good.`}
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
