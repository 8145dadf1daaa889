import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { ProblemError } from '../../api/problem-error';
import { AnsweredPage } from '../../shared/answered-page';
import { howMany } from '../../shared/how-many';
import { Section } from '../../shared/section';
import { Time } from '../../shared/time';
import { ErasureReceipt } from './erasure-receipt';
import { PersonActions } from './person-actions';
import { PersonComputed } from './person-computed';
import { PersonGroups } from './person-groups';
import { PersonIds } from './person-ids';
import { paramsOf, type PersonKey, usePersonKey } from './person-key';
import { PersonSegments } from './person-segments';
import { PersonTimeline } from './person-timeline';
import { PersonTraits } from './person-traits';
import { UnknownPerson } from './unknown-person';

type Erasure = Dto['ErasureDto'];

/** Who was deleted, and the receipt of it. */
interface Erased {
  readonly name: string;
  readonly erasure: Erasure;
}

/** All that is known of one person, or the receipt of its deletion. */
export function PersonPage(): ReactNode {
  const key = usePersonKey();
  const name = `${key.by} ${key.id}`;
  const [erased, setErased] = useState<Erased>();
  const onErased = (erasure: Erasure): void => setErased({ name, erasure });
  if (key.id === '') return <UnknownPerson personKey={key} onErased={onErased} />;
  // The address may have gone on to somebody else.
  if (erased?.name === name) return <ErasureReceipt id={key.id} erasure={erased.erasure} />;
  return <LoadedPerson key={name} personKey={key} onErased={onErased} />;
}

interface LoadedPersonProps {
  readonly personKey: PersonKey;
  readonly onErased: (erasure: Erasure) => void;
}

function LoadedPerson({ personKey, onErased }: LoadedPersonProps): ReactNode {
  const mayAct = useCan('privacy');
  const { path, query } = paramsOf(personKey);
  const person = useQuery({
    queryKey: ['people', personKey],
    queryFn: () => bodyOf(api.GET('/profiles/{userId}', { params: { path, query: { ...query, limit: 1 } } })),
  });
  if (person.isError && ProblemError.of(person.error).code === 'profile_not_found')
    return <UnknownPerson personKey={personKey} onErased={onErased} />;
  return (
    <AnsweredPage
      query={person}
      fallbackTitle={personKey.id}
      title={({ userId }) => userId ?? personKey.id}
      actions={(found) =>
        mayAct && <PersonActions personKey={personKey} person={found} onErased={onErased} />
      }
    >
      {(found) => <FoundPerson personKey={personKey} person={found} />}
    </AnsweredPage>
  );
}

interface FoundPersonProps {
  readonly personKey: PersonKey;
  readonly person: Dto['ProfileDto'];
}

function FoundPerson({ personKey, person }: FoundPersonProps): ReactNode {
  const origins = useQuery({
    queryKey: ['people', personKey, 'origins'],
    queryFn: () => bodyOf(api.GET('/profiles/{userId}/origins', { params: paramsOf(personKey) })),
  });
  const { userId, eventCount, firstSeenAt, lastSeenAt } = person;
  return (
    <>
      <Text size="sm" component="div">
        {userId === null ? 'A visitor who is no user yet' : 'A user'}, with {howMany(eventCount, 'event')}{' '}
        from <Time at={firstSeenAt} /> to <Time at={lastSeenAt} />.
      </Text>
      <Section title="Traits">
        <PersonTraits traits={person.traits} origins={origins} />
      </Section>
      <Section title="Computed traits">
        <PersonComputed computed={person.computed} />
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
    </>
  );
}
