import { List, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Answered } from './answered';
import { Section } from './section';
import { To } from './to';

/** What uses a thing, and so keeps it from being deleted. */
export interface Dependent {
  readonly kind: string;
  readonly name: string;
  readonly href: string;
}

interface DependentsProps {
  readonly dependents: readonly Dependent[];
}

interface UsedByProps extends DependentsProps {
  /** The listings that the dependents are of. */
  readonly queries: readonly UseQueryResult[];
}

/** Where a thing is used, with links: there it has to go before it can be deleted. */
export function UsedBy({ queries, dependents }: UsedByProps): ReactNode {
  const used =
    dependents.length === 0 ? (
      <Text size="sm">Nothing: it can be deleted.</Text>
    ) : (
      <>
        <Text size="sm">It cannot be deleted while these use it.</Text>
        <DependentList dependents={dependents} />
      </>
    );
  return (
    <Section title="Used by">
      {queries.reduceRight<ReactNode>(
        (shown, query) => (
          <Answered query={query}>{() => shown}</Answered>
        ),
        used,
      )}
    </Section>
  );
}

export function DependentList({ dependents }: DependentsProps): ReactNode {
  return (
    <List size="sm" mt="xs">
      {dependents.map(({ kind, name, href }) => (
        <List.Item key={href} style={{ overflowWrap: 'anywhere' }}>
          {kind} <To href={href}>{name}</To>
        </List.Item>
      ))}
    </List>
  );
}

/** The kinds of things that use others. */
const PATHS = { Source: '/sources', Segment: '/segments', Destination: '/destinations' } as const;

interface Named {
  readonly id: string;
  readonly name: string;
}

export function dependentsOf(kind: keyof typeof PATHS, all: readonly Named[]): Dependent[] {
  return all.map(({ id, name }) => ({ kind, name, href: `${PATHS[kind]}/${id}` }));
}
