import { Code, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { howMany } from '../../shared/how-many';
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
          <List.Item>{howMany(deleted.identities, 'id')}</List.Item>
          <List.Item>{howMany(deleted.events, 'event')}</List.Item>
          <List.Item>{howMany(deleted.memberships, 'membership')} of segments</List.Item>
          <List.Item>{howMany(deleted.computedValues, 'value')} of computed traits</List.Item>
          <List.Item>{howMany(deleted.deliveries, 'delivery', 'deliveries')}</List.Item>
          <List.Item>
            {howMany(deleted.others, 'other')}: rejected and quarantined events, requests of webhooks
          </List.Item>
        </List>
        <Text>
          {suppressed ? 'Events with these ids are dropped from now on. ' : ''}
          {howMany(notifiedDestinations, 'destination is', 'destinations are')} told.
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          The receipt is <Code>{receiptId}</Code>. In the audit <Code>{pseudonym}</Code> stands for the id.
        </Text>
        <ButtonTo href="/people">To the other people</ButtonTo>
      </Stack>
    </Page>
  );
}
