import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { ProblemError } from '../../api/problem-error';
import { Answered } from '../../shared/answered';
import { Page } from '../../shared/page';
import { Section } from '../../shared/section';
import { Time } from '../../shared/time';
import { ErasureReceipt } from './erasure-receipt';
import { PersonActions } from './person-actions';
import { PersonGroups } from './person-groups';
import { PersonIds } from './person-ids';
import { paramsOf, type PersonKey, usePersonKey } from './person-key';
import { PersonSegments } from './person-segments';
import { PersonTimeline } from './person-timeline';
import { PersonTraits } from './person-traits';
import { UnknownPerson } from './unknown-person';

type Erasure = Dto['ErasureDto'];

/** All that is known of one person, or the receipt of its deletion. */
export function PersonPage(): ReactNode {
  const key = usePersonKey();
  const [erased, setErased] = useState<Erasure>();
  if (key.id === '') return <UnknownPerson personKey={key} />;
  return erased === undefined ? (
    <LoadedPerson key={`${key.by} ${key.id}`} personKey={key} onErased={setErased} />
  ) : (
    <ErasureReceipt id={key.id} erasure={erased} />
  );
}

interface LoadedPersonProps {
  readonly personKey: PersonKey;
  readonly onErased: (erasure: Erasure) => void;
}

function LoadedPerson({ personKey, onErased }: LoadedPersonProps): ReactNode {
  const { path, query } = paramsOf(personKey);
  const person = useQuery({
    queryKey: ['people', personKey],
    queryFn: () => bodyOf(api.GET('/profiles/{userId}', { params: { path, query: { ...query, limit: 1 } } })),
  });
  if (person.isError && ProblemError.of(person.error).code === 'profile_not_found')
    return <UnknownPerson personKey={personKey} />;
  return (
    <Answered query={person}>
      {(found) => <FoundPerson personKey={personKey} person={found} onErased={onErased} />}
    </Answered>
  );
}

interface FoundPersonProps extends LoadedPersonProps {
  readonly person: Dto['ProfileDto'];
}

function FoundPerson({ personKey, person, onErased }: FoundPersonProps): ReactNode {
  const mayAct = useCan('privacy');
  const origins = useQuery({
    queryKey: ['people', personKey, 'origins'],
    queryFn: () => bodyOf(api.GET('/profiles/{userId}/origins', { params: paramsOf(personKey) })),
  });
  const { userId, eventCount, firstSeenAt, lastSeenAt } = person;
  return (
    <Page
      title={userId ?? personKey.id}
      actions={mayAct && <PersonActions personKey={personKey} person={person} onErased={onErased} />}
    >
      <Text size="sm" component="div">
        {userId === null ? 'A visitor who is no user yet' : 'A user'}, with {eventCount.toLocaleString()}{' '}
        events from <Time at={firstSeenAt} /> to <Time at={lastSeenAt} />.
      </Text>
      <Section title="Traits">
        <PersonTraits traits={person.traits} origins={origins} />
      </Section>
      <Section title="Ids">
        <PersonIds person={person} origins={origins} />
      </Section>
      <Section title="Groups">
        <PersonGroups groups={person.groups} />
      </Section>
      <Section title="Segments">
        <PersonSegments person={person} />
      </Section>
      <Section title="Timeline">
        <PersonTimeline personKey={personKey} />
      </Section>
    </Page>
  );
}
