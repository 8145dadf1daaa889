import { List, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { Time } from '../time';
import { To } from '../to';
import type { SequenceRule } from './rule-words';
import { stopWords, type TimeInWords } from './stop-words';

interface SequenceProgressProps {
  readonly of: Dto['SequenceProgressDto'];
  readonly rule: SequenceRule;
}

/** How far somebody came along a sequence: the events, step by step, and why no further. */
export function SequenceProgress({ of: { events, stop }, rule }: SequenceProgressProps): ReactNode {
  return (
    <Stack gap={4} role="group" aria-label="How far it goes">
      <Text size="sm">{`${events.length} of ${rule.sequence.length} steps${events.length === 0 ? '' : ':'}`}</Text>
      {events.length > 0 && (
        <List size="sm" type="ordered">
          {events.map(({ step, id, timestamp }, at) => (
            <List.Item key={step}>
              <Text size="sm" span>
                {JSON.stringify(rule.sequence[at]?.event)}: <At at={timestamp} eventId={id} />
              </Text>
            </List.Item>
          ))}
        </List>
      )}
      {stop !== undefined && (
        <Text size="sm">
          {stopWords(stop, rule).map((part, at) => (
            // Nothing in a sentence moves.
            <Fragment key={at}>{typeof part === 'string' ? part : <At {...part} />}</Fragment>
          ))}
          .
        </Text>
      )}
    </Stack>
  );
}

function At({ at, eventId }: TimeInWords): ReactNode {
  const time = <Time at={at} />;
  return eventId === undefined ? time : <To href={`/events/${eventId}`}>{time}</To>;
}
