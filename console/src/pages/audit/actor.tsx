import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';

type Entry = Dto['AuditEntryDto'];

/** What a name is of; nothing to say of that of a user. */
const KINDS: Readonly<Record<NonNullable<Entry['actorKind']>, string>> = {
  subject: '',
  client: 'client',
  unknown: 'token without a name',
  service: 'the service itself',
};

/** Who made a change. */
export function Actor({ entry: { actor, actorKind } }: { readonly entry: Entry }): ReactNode {
  const kind = KINDS[actorKind ?? 'subject'];
  return (
    <Text span inherit style={{ overflowWrap: 'break-word' }}>
      {actor}
      {kind !== '' && ` (${kind})`}
    </Text>
  );
}
