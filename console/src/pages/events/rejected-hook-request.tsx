import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { To } from '../../shared/to';

/** What is kept of a request of a webhook that no events could be made of: which one it is. */
const HOOK_REQUEST = /^\{"hookRequestId":"[\da-f-]+"\}$/;

export function isOfHookRequest({ payload }: Pick<Dto['RejectedEventDto'], 'payload'>): boolean {
  return HOOK_REQUEST.test(payload);
}

/** Where the request itself is, and what can be done about it. */
export function RejectedHookRequest({ sourceId }: { readonly sourceId: string }): ReactNode {
  return (
    <Text size="sm">
      No events could be made of a request of a webhook. <To href={`/sources/${sourceId}`}>Its source</To> has
      it among its requests without events, until it is run again or discarded.
    </Text>
  );
}
