import { Code, Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { PersonLink } from '../../shared/person-link';
import { SourceLink } from '../../shared/source-link';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';
import { TracedDestinations } from './traced-destinations';

type Known = Omit<Dto['TraceDto'], 'event'>;

interface TraceProps {
  readonly event: Dto['EventDto'];
  readonly trace: Known;
}

/** The way of an accepted event through the service, step by step. */
export function Trace({ event, trace }: TraceProps): ReactNode {
  const { sourceId, timestamp, receivedAt, messageId } = event;
  return (
    <Timeline active={stepsDone(trace)} bulletSize={18} lineWidth={2}>
      <Timeline.Item title="Received">
        <Text size="sm" component="div">
          <Time at={receivedAt} /> from <SourceLink id={sourceId} />. It happened <Time at={timestamp} />.
        </Text>
      </Timeline.Item>
      <Timeline.Item title="Accepted">
        <Text size="sm">
          Stored with the message id <Code>{messageId}</Code>. What the source sent with the same message id
          again is a duplicate of it, and was left out.
        </Text>
      </Timeline.Item>
      <Timeline.Item title={PROCESSING[trace.processing ?? 'waiting']}>
        <Processing trace={trace} />
      </Timeline.Item>
      <Timeline.Item title="Profile">
        <Profile trace={trace} />
      </Timeline.Item>
      <Timeline.Item title="Segments">
        <Segments segments={trace.segments} />
      </Timeline.Item>
      <Timeline.Item title="Destinations">
        <TracedDestinations event={event} destinations={trace.destinations} />
      </Timeline.Item>
    </Timeline>
  );
}

/** The index of the last step that is behind it. */
function stepsDone({ processing, destinations }: Known): number {
  if (processing !== 'processed') return 1;
  return destinations.some(({ outcome }) => outcome === 'pending') ? 4 : 5;
}

const PROCESSING = {
  waiting: 'Waits in the inbox',
  failed: 'Could not be processed',
  processed: 'Processed',
};

function Processing({
  trace: { processing, failedBecause, waitedMs },
}: {
  readonly trace: Known;
}): ReactNode {
  if (processing === 'failed') return <Text size="sm">{failedBecause}</Text>;
  if (processing !== 'processed')
    return <Text size="sm">Profiles, segments and destinations do not know of it yet.</Text>;
  return (
    <Text size="sm">
      {waitedMs === null
        ? 'It is not in the inbox any more.'
        : `It left the inbox ${waitedMs} ms after it was received.`}
    </Text>
  );
}

function Profile({ trace: { profile, processing } }: { readonly trace: Known }): ReactNode {
  if (profile === null)
    return <Text size="sm">{processing === 'processed' ? 'It is of nobody.' : 'Not yet.'}</Text>;
  const { userId, anonymousId, merged } = profile;
  return (
    <Text size="sm" component="div">
      {userId === null ? 'The visitor ' : 'The user '}
      <PersonLink userId={userId} anonymousId={anonymousId} /> has it
      {merged ? ', who was merged since with the id of the event.' : '.'}
    </Text>
  );
}

function Segments({ segments }: Pick<Known, 'segments'>): ReactNode {
  if (segments.length === 0)
    return <Text size="sm">The person has entered and left none since the event was received.</Text>;
  return segments.map(({ segmentId, segmentName, change, at }) => (
    <Text key={`${segmentId} ${at}`} size="sm" component="div">
      {change === 'entered' ? 'Entered' : 'Left'} <To href={`/segments/${segmentId}`}>{segmentName}</To>{' '}
      <Time at={at} />
    </Text>
  ));
}
