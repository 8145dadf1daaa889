import { List, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSegments } from '../../api/all-of';
import type { Dto } from '../../api/client';
import { To } from '../../shared/to';
import { Explanation } from '../../shared/segments/explanation';

interface PersonSegmentsProps {
  readonly person: Dto['ProfileDto'];
}

/** The segments that a person is in, and for any segment why, or why not. */
export function PersonSegments({ person: { userId, segments } }: PersonSegmentsProps): ReactNode {
  return (
    <Stack>
      {segments.length === 0 ? (
        <Text>The person is in no segment.</Text>
      ) : (
        <List aria-label="Segments">
          {segments.map(({ id, name }) => (
            <List.Item key={id}>
              <To href={`/segments/${id}?${why(userId)}`}>{name}</To>
            </List.Item>
          ))}
        </List>
      )}
      {userId !== null && <Explain userId={userId} />}
    </Stack>
  );
}

function Explain({ userId }: { readonly userId: string }): ReactNode {
  const all = useSegments().data ?? [];
  const [segmentId, setSegmentId] = useState('');
  if (all.length === 0) return null;
  return (
    <>
      <NativeSelect
        label="Why, or why not?"
        maw={480}
        data={[
          { value: '', label: 'Choose a segment' },
          ...all.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={segmentId}
        onChange={({ currentTarget }) => setSegmentId(currentTarget.value)}
      />
      {segmentId !== '' && <Explanation segmentId={segmentId} userId={userId} />}
    </>
  );
}

/** The page of a segment says why somebody is in it. */
function why(userId: string | null): string {
  return userId === null ? '' : new URLSearchParams({ userId }).toString();
}
