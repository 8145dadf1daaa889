import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client';
import { useCan } from '../../api/me';
import { Answered } from '../../shared/answered';
import { TextBlock } from '../../shared/json-view';
import { Page } from '../../shared/page';
import { Section } from '../../shared/section';
import { PlanDocument } from './plan-document';

/** All that is configured, as one document, and what another document would change. */
export function ConfigurationPage(): ReactNode {
  const exported = useQuery({
    queryKey: ['config'],
    queryFn: () =>
      bodyOf(api.GET('/config/export', { params: { query: { format: 'yaml' } }, parseAs: 'text' })),
  });
  return (
    <Page title="Configuration">
      {useCan('write') && (
        <Section title="Plan a change">
          <PlanDocument />
        </Section>
      )}
      <Section title="What is configured">
        <Text size="sm" mb="xs">
          All that is defined here, as <code>npx cdp export</code> writes it. References stand for secrets.
        </Text>
        <Answered query={exported}>{(text) => <TextBlock name="the configuration" text={text} />}</Answered>
      </Section>
    </Page>
  );
}
