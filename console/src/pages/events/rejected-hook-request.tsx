import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { To } from '../../shared/to';

/** What is kept of a failed request of a webhook: which one it is. */
const HOOK_REQUEST = /^\{"hookRequestId":"[\da-f-]+"\}$/;

export function isOfHookRequest({ payload }: Pick<Dto['RejectedEventDto'], 'payload'>): boolean {
  return HOOK_REQUEST.test(payload);
}

/** Where the request itself is, and what can be done about it. */
export function RejectedHookRequest({ sourceId }: { readonly sourceId: string }): ReactNode {
  return (
    <Text size="sm">
      A request of a webhook failed: no events could be made of it.{' '}
      <To href={`/sources/${sourceId}`}>Its source</To> has it among its failed requests, until it is run
      again or discarded.
    </Text>
  );
}
