import { Code, List } from '@mantine/core';
import type { ReactNode } from 'react';
import { nameOf, useDestinations, useSegments, useSources } from '../../api/all-of';
import type { Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { getsEvents } from '../../shared/destinations/gets-events';
import { testWords } from '../../shared/segments/language-words';
import { To } from '../../shared/to';

type Because = Dto['NotRoutedBecauseDto'];
type Destination = Dto['DestinationDto'];

interface NotRoutedProps {
  readonly event: Dto['EventDto'];
  readonly destinationId: string;
  readonly because: readonly Because[];
}

/** Why a destination did not get an event: each part of it that says no, with what it asks for. */
export function NotRouted({ event, destinationId, because }: NotRoutedProps): ReactNode {
  return (
    <Answered query={useDestinations()}>
      {(destinations) => (
        <List size="sm">
          {because.map((one) => (
            <List.Item key={one.part}>
              <Reason
                event={event}
                because={one}
                isAlone={because.length === 1}
                destination={destinations.find(({ id }) => id === destinationId)}
              />
            </List.Item>
          ))}
        </List>
      )}
    </Answered>
  );
}

interface ReasonProps {
  readonly event: Dto['EventDto'];
  readonly because: Because;
  /** Nothing else says no. */
  readonly isAlone: boolean;
  readonly destination: Destination | undefined;
}

function Reason({ event, because, isAlone, destination }: ReasonProps): ReactNode {
  const filter: Filter = destination?.filter ?? {};
  switch (because.part) {
    case 'sources':
      return <SourcesReason event={event} wanted={destination?.sources ?? []} />;
    case 'types':
      if (!getsEvents(filter)) return 'It gets no events, only notices: its filter lets no type pass.';
      return (
        <>
          Its filter lets only the types <Texts texts={filter.types} /> pass; this is a{' '}
          <Code>{event.type}</Code>.
        </>
      );
    case 'events':
      return (
        <>
          Its filter lets only events named <Texts texts={filter.events} /> pass; this is{' '}
          <Code>{event.name}</Code>.
        </>
      );
    case 'conditions':
      return <ConditionsReason because={because} filter={filter} />;
    case 'segments':
      return <SegmentsReason event={event} wanted={filter.segments ?? []} />;
    case 'unreadable_filter':
      return 'Its filter cannot be read by this version of the service, so nothing passes.';
    case 'destination_is_younger':
      return (
        'The destination was created after the event was received.' +
        (isAlone ? ' A replay of its time sends it.' : '')
      );
    case 'not_processed':
      return 'The event is not processed yet, or could not be.';
    case 'changed_since':
      return (
        'Nothing says no now: the destination, or the segments and computed traits of the person, were others when it was routed. ' +
        'Or it was delivered so long ago that the delivery is not kept any more.'
      );
  }
}

/** The filter of a destination, as docs/routing.md has it. */
interface Filter {
  readonly types?: readonly string[];
  readonly events?: readonly string[];
  readonly match?: 'all' | 'any';
  readonly segments?: readonly string[];
}

function SourcesReason({
  event,
  wanted,
}: {
  readonly event: Dto['EventDto'];
  readonly wanted: readonly string[];
}): ReactNode {
  const sources = useSources().data;
  return (
    <>
      It takes events of <Texts texts={wanted.map((id) => nameOf(sources, id))} /> only; this one came from{' '}
      <Code>{nameOf(sources, event.sourceId)}</Code>.
    </>
  );
}

interface SegmentsReasonProps {
  readonly event: Dto['EventDto'];
  readonly wanted: readonly string[];
}

/** Each segment leads to why the person is not in it. */
function SegmentsReason({ event: { userId }, wanted }: SegmentsReasonProps): ReactNode {
  const segments = useSegments().data;
  const search = userId === null ? '' : `?${new URLSearchParams({ userId }).toString()}`;
  return (
    <>
      It takes events of people in{' '}
      {wanted.map((id, index) => (
        <span key={id}>
          {index > 0 && ' or '}
          <To href={`/segments/${id}${search}`}>{nameOf(segments, id)}</To>
        </span>
      ))}{' '}
      only; this person is not in it.
    </>
  );
}

function ConditionsReason({
  because,
  filter,
}: {
  readonly because: Because;
  readonly filter: Filter;
}): ReactNode {
  const { conditions = [] } = because;
  const ask =
    filter.match === 'any'
      ? 'Its filter asks for one of these, and none holds:'
      : 'Its filter asks for what does not hold:';
  return (
    <>
      {ask}
      <List size="sm">
        {conditions.map(({ field, operator, value, seen }, index) => (
          <List.Item key={`${field} ${operator} ${index}`}>
            <Code>
              {field} {testWords(field, operator, value)}
            </Code>
            {`; ${holderOf(field)} has ${seen === undefined ? 'nothing there.' : ''}`}
            {seen !== undefined && <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(seen)}</Code>}
          </List.Item>
        ))}
      </List>
    </>
  );
}

/** What a condition asks about has the value from the event, or from what is known of its person. */
function holderOf(field: string): string {
  return field.startsWith('computed.') ? 'the person' : 'the event';
}

function Texts({ texts = [] }: { readonly texts?: readonly string[] }): ReactNode {
  return texts.map((text, index) => (
    <span key={text}>
      {index > 0 && ', '}
      <Code>{text}</Code>
    </span>
  ));
}
