import { Code, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { nameOf, useSegments } from '../../api/all-of';
import { api, bodyOf, type Dto } from '../../api/client';
import { Answered } from '../answered';
import { Disclosure } from '../disclosure';
import { StatusBadge } from '../status-badge';
import { Time } from '../time';
import { To } from '../to';
import { groupWords, type Rule, ruleWords, type SequenceRule, soughtWords } from './rule-words';
import { SequenceProgress } from './sequence-progress';

interface ExplanationProps {
  readonly segmentId: string;
  readonly userId: string;
}

type Verdict = Dto['RuleVerdictDto'];

/** Why a user is in a segment or not: what each rule saw, and said. */
export function Explanation({ segmentId, userId }: ExplanationProps): ReactNode {
  const explanation = useQuery({
    queryKey: ['segments', segmentId, 'explain', userId],
    queryFn: () =>
      bodyOf(api.GET('/segments/{id}/explain/{userId}', { params: { path: { id: segmentId, userId } } })),
  });
  return (
    <Answered query={explanation}>
      {({ member, enteredAt, verdict, rules }) => (
        <Stack gap="xs" role="group" aria-label="Explanation">
          <Group gap="sm">
            <StatusBadge tone={member ? 'good' : 'neutral'}>
              {member ? 'A member' : 'Not a member'}
            </StatusBadge>
            {enteredAt !== null && (
              <Text size="sm">
                since <Time at={enteredAt} />
              </Text>
            )}
          </Group>
          {verdict !== member && (
            <Text size="sm">
              The rules say otherwise right now: the members follow when they are computed.
            </Text>
          )}
          {rules.length === 0 ? (
            <Text size="sm">It has no rules: everybody is in it.</Text>
          ) : (
            <Verdicts of={rules} />
          )}
        </Stack>
      )}
    </Answered>
  );
}

function Verdicts({ of }: { readonly of: readonly Verdict[] }): ReactNode {
  return (
    <List size="sm" listStyleType="none" withPadding={of[0]?.path.includes('].rules') === true}>
      {of.map((one) => (
        <List.Item key={one.path}>
          <Group gap="xs">
            <StatusBadge tone={one.verdict ? 'good' : 'neutral'}>
              {one.verdict ? 'Holds' : 'Does not hold'}
            </StatusBadge>
            {one.rules === undefined ? <SeenRule verdict={one} /> : <span>{groupWords(one.rule)}</span>}
          </Group>
          {one.progress !== undefined && (
            <SequenceProgress of={one.progress} rule={one.rule as unknown as SequenceRule} />
          )}
          {one.events !== undefined && one.events.length > 0 && (
            <CountedEvents of={one.events} by={one.rule} />
          )}
          {one.rules !== undefined && <Verdicts of={one.rules} />}
        </List.Item>
      ))}
    </List>
  );
}

interface CountedEventsProps {
  readonly of: NonNullable<Verdict['events']>;
  readonly by: Verdict['rule'];
}

function CountedEvents({ of, by }: CountedEventsProps): ReactNode {
  return (
    <Disclosure
      summary={'sequence' in by ? 'The newest events that it looks for' : 'The newest events that count'}
    >
      <List size="sm">
        {of.map(({ id, timestamp, value, steps }) => (
          <List.Item key={id}>
            <To href={`/events/${id}`}>
              <Time at={timestamp} />
            </To>
            {value !== undefined && (
              <>
                {': '}
                <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(value)}</Code>
              </>
            )}
            {steps !== undefined && `: ${soughtWords(steps, by as unknown as SequenceRule)}`}
          </List.Item>
        ))}
      </List>
    </Disclosure>
  );
}

function SeenRule({ verdict: { rule, seen } }: { readonly verdict: Verdict }): ReactNode {
  const segments = useSegments().data;
  const words = ruleWords(rule as unknown as Rule, (id) => nameOf(segments, id));
  // Nothing is compared.
  if ('sequence' in rule) return <Code style={{ overflowWrap: 'anywhere' }}>{words}</Code>;
  return (
    <span>
      <Code>{words}</Code> {seen === undefined ? 'has nothing to look at' : 'sees '}
      {seen !== undefined && <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(seen)}</Code>}
    </span>
  );
}
