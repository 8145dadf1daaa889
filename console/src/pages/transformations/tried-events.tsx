import { Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { howMany } from '../../shared/how-many';
import { StatusBadge, type Tone } from '../../shared/status-badge';
import { Time } from '../../shared/time';
import { ToAside } from '../../shared/to';
import { type Outcome, outcomeOf } from './outcome-of';
import { TriedEvent } from './tried-event';

const WORDS: Readonly<Record<Outcome, { readonly tone: Tone; readonly one: string; readonly many: string }>> =
  {
    changed: { tone: 'good', one: 'Changed', many: 'would be changed' },
    same: { tone: 'neutral', one: 'As it was', many: 'would stay as they are' },
    not_sent: { tone: 'warning', one: 'Not sent', many: 'would not be sent' },
    fails: { tone: 'bad', one: 'Fails', many: 'would fail' },
  };

/** What a code made of events, newest first. */
export function TriedEvents({ trial }: { readonly trial: Dto['TransformationTrialDto'] }): ReactNode {
  const { complete, considered, events } = trial;
  return (
    <Stack w="100%">
      <Text aria-live="polite">
        {events.length === 0
          ? `None of the newest ${considered.toLocaleString()} events is one to try it on.`
          : `Of ${howMany(events.length, 'event')} ${inWords(events)}.`}
        {!complete && ' More were not tried: it took too long, or became too much.'}
      </Text>
      {events.map((event) => (
        <Paper key={event.id} withBorder p="sm">
          <Stack gap="xs">
            <Group justify="space-between">
              <Group gap="xs">
                <ToAside href={`/events/${event.id}`}>{event.name}</ToAside>
                <Text size="sm" component="div">
                  <Time at={event.timestamp} />
                </Text>
              </Group>
              <StatusBadge tone={WORDS[outcomeOf(event)].tone}>{WORDS[outcomeOf(event)].one}</StatusBadge>
            </Group>
            <TriedEvent tried={event} />
          </Stack>
        </Paper>
      ))}
    </Stack>
  );
}

function inWords(events: readonly Dto['TriedEventDto'][]): string {
  const outcomes = events.map(outcomeOf);
  return (Object.keys(WORDS) as Outcome[])
    .map((outcome) => ({ outcome, count: outcomes.filter((one) => one === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count.toLocaleString()} ${WORDS[outcome].many}`)
    .join(', ');
}
