import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { Section } from '../../shared/section';
import { type Series, StackedBars } from '../../shared/stacked-bars';

const EVENTS: readonly Series<'accepted' | 'duplicate' | 'rejected' | 'quarantined'>[] = [
  { key: 'accepted', label: 'Accepted', color: 'teal.6' },
  { key: 'duplicate', label: 'Duplicate', color: 'gray.5' },
  { key: 'rejected', label: 'Rejected', color: 'red.7' },
  { key: 'quarantined', label: 'Quarantined', color: 'yellow.5' },
];
const DELIVERIES: readonly Series<'delivered' | 'failed' | 'dead'>[] = [
  { key: 'delivered', label: 'Delivered', color: 'teal.6' },
  { key: 'failed', label: 'Failed, tried again', color: 'yellow.5' },
  { key: 'dead', label: 'Dead', color: 'red.7' },
];

/** What came in and what went out, step by step. */
export function Charts({ stats: { span, steps } }: { readonly stats: Dto['StatsDto'] }): ReactNode {
  const step = span === 'hour' ? 'minute' : 'quarter of an hour';
  return (
    <>
      <Section title="Events">
        <StackedBars label={`Events by ${step}`} steps={steps} series={EVENTS} />
      </Section>
      <Section title="Deliveries">
        <StackedBars label={`Deliveries by ${step}`} steps={steps} series={DELIVERIES} />
      </Section>
    </>
  );
}
