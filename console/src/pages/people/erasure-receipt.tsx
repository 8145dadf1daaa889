import { Code, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { Page } from '../../shared/page';
import { ButtonTo } from '../../shared/to';

interface ErasureReceiptProps {
  readonly id: string;
  readonly erasure: Dto['ErasureDto'];
}

/** What was deleted. It names nobody, so it can be kept. */
export function ErasureReceipt({ id, erasure }: ErasureReceiptProps): ReactNode {
  const { deleted, suppressed, receiptId, pseudonym, notifiedDestinations } = erasure;
  return (
    <Page title={`${id} is deleted`}>
      <Stack align="flex-start">
        <List aria-label="Deleted">
          <List.Item>{deleted.identities.toLocaleString()} ids</List.Item>
          <List.Item>{deleted.events.toLocaleString()} events</List.Item>
          <List.Item>{deleted.memberships.toLocaleString()} memberships of segments</List.Item>
          <List.Item>{deleted.computedValues.toLocaleString()} values of computed traits</List.Item>
          <List.Item>{deleted.deliveries.toLocaleString()} deliveries</List.Item>
        </List>
        <Text>
          {suppressed ? 'Events with these ids are dropped from now on. ' : ''}
          {notifiedDestinations.toLocaleString()} destinations are told.
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          The receipt is <Code>{receiptId}</Code>. In the audit <Code>{pseudonym}</Code> stands for the id.
        </Text>
        <ButtonTo href="/people">To the other people</ButtonTo>
      </Stack>
    </Page>
  );
}
