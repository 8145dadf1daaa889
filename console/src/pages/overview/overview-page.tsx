import { SegmentedControl, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { Answered } from '../../shared/answered';
import { Page } from '../../shared/page';
import { Section } from '../../shared/section';
import { Attention } from './attention';
import { Charts } from './charts';
import { DestinationsHealth } from './destinations-health';
import { Figures } from './figures';
import { SourcesHealth } from './sources-health';
import { type Span, useStats } from './use-stats';

export function OverviewPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const span: Span = search.get('span') === 'day' ? 'day' : 'hour';
  const stats = useStats(span);
  return (
    <Page
      title="Overview"
      actions={
        <SegmentedControl
          aria-label="Time"
          value={span}
          onChange={(chosen) => setSearch({ span: chosen }, { replace: true })}
          data={[
            { value: 'hour', label: 'Last hour' },
            { value: 'day', label: 'Last day' },
          ]}
        />
      }
    >
      <Attention />
      <Answered query={stats}>
        {(known) => (
          <Stack gap="lg">
            <Figures stats={known} />
            <Charts stats={known} />
            <Section title="Sources">
              <SourcesHealth totals={known.sources} />
            </Section>
          </Stack>
        )}
      </Answered>
      <Section title="Destinations">
        <DestinationsHealth span={span} />
      </Section>
    </Page>
  );
}
