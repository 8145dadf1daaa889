import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { nameOf } from '../../api/all-of';
import type { Dto } from '../../api/client';
import { counted } from '../../shared/counted';
import { Health } from '../../shared/destinations/health';
import { duration } from '../../shared/duration';
import { howMany } from '../../shared/how-many';
import { isMostlyRejected } from '../../shared/sources/is-mostly-rejected';
import { isSilent } from '../../shared/sources/is-silent';
import { StatusBadge } from '../../shared/status-badge';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';

/** How all is doing, as far as it may need attention. */
export interface Standing {
  readonly stats: Dto['StatsDto'];
  readonly destinations: readonly Dto['ListedStatsDto'][];
  readonly sources: readonly Dto['HeardSourceDto'][];
  readonly segments: readonly Dto['SegmentDto'][];
  readonly replays: readonly Dto['ReplayDto'][];
}

/** Something that somebody should look at. */
export interface Matter {
  readonly key: string;
  /** A link to the page where it is set right. */
  readonly where: ReactNode;
  readonly what: ReactNode;
}

/** From then on `deploy/prometheus/alerts.yml` tells of it, too. */
const INBOX_LATE_SECONDS = 60;
const DELIVERIES_LATE_SECONDS = 300;
/** One that runs makes a step every second. */
const REPLAY_STANDS_MS = 5 * 60_000;

/** The worst first: what nothing gets through, then what waits for a decision. */
export function whatNeedsAttention(standing: Standing, nowMs: number): Matter[] {
  const { stats, destinations, sources, segments, replays } = standing;
  return [
    ...lateInbox(stats),
    ...destinations.flatMap(unwellDestination),
    ...destinations.flatMap(lateDeliveries),
    ...sources.flatMap((source) => silentSource(source, nowMs)),
    ...sources.flatMap((source) => rejectedSource(source, stats)),
    ...segments.flatMap(failedSegment),
    ...replays.flatMap((replay) => standingReplay(replay, destinations, nowMs)),
    ...destinations.flatMap(pausedDeliveries),
    ...destinations.flatMap(deadLetters),
    ...quarantine(stats),
  ];
}

function lateInbox({ events }: Dto['StatsDto']): Matter[] {
  const { inboxRows, inboxOldestSeconds: seconds } = events;
  if (inboxRows === 0 || seconds <= INBOX_LATE_SECONDS) return [];
  const what = `Events are processed late: the oldest has waited for ${duration(seconds)}.`;
  return [{ key: 'inbox', where: <To href="/events">The inbox</To>, what: <Words>{what}</Words> }];
}

/** Not one that an operator has paused: somebody wants it so, see {@link pausedDeliveries}. */
function unwellDestination({ id, name, health }: Dto['ListedStatsDto']): Matter[] {
  if (health.state === 'healthy' || health.state === 'paused') return [];
  return [
    {
      key: `health ${id}`,
      where: <To href={`/destinations/${id}`}>Destination {name}</To>,
      what: <Health health={health} />,
    },
  ];
}

/** Elsewhere its health says why they wait. */
function lateDeliveries({ id, name, health, overdueSeconds }: Dto['ListedStatsDto']): Matter[] {
  if (health.state !== 'healthy' || (overdueSeconds ?? 0) <= DELIVERIES_LATE_SECONDS) return [];
  return [
    {
      key: `late ${id}`,
      where: <To href={`/destinations/${id}/deliveries?state=pending`}>What waits for {name}</To>,
      what: <Words>{`Deliveries are late by ${duration(overdueSeconds ?? 0)}.`}</Words>,
    },
  ];
}

function silentSource(source: Dto['HeardSourceDto'], nowMs: number): Matter[] {
  const { id, name, enabled, lastEventAt } = source;
  if (!enabled || !isSilent(source, nowMs)) return [];
  return [
    {
      key: `silent ${id}`,
      where: <To href={`/sources/${id}`}>Source {name}</To>,
      what: <Bad state="Silent" since={lastEventAt} />,
    },
  ];
}

function rejectedSource(
  { id, name, enabled }: Dto['HeardSourceDto'],
  { sources }: Dto['StatsDto'],
): Matter[] {
  const totals = sources.find(({ sourceId }) => sourceId === id);
  if (!enabled || totals === undefined || !isMostlyRejected(totals)) return [];
  return [
    {
      key: `rejected ${id}`,
      where: <To href={`/sources/${id}`}>Source {name}</To>,
      what: (
        <Group gap="sm">
          <StatusBadge tone="bad">Mostly rejected</StatusBadge>
          <Words>{`${howMany(totals.rejected, 'event')} in the last hour.`}</Words>
        </Group>
      ),
    },
  ];
}

function failedSegment({ id, name, state, failure }: Dto['SegmentDto']): Matter[] {
  if (state !== 'failed') return [];
  return [
    {
      key: `segment ${id}`,
      where: <To href={`/segments/${id}`}>Segment {name}</To>,
      what: (
        <Group gap="sm">
          <StatusBadge tone="bad">Failed</StatusBadge>
          <Text size="sm">{failure}</Text>
        </Group>
      ),
    },
  ];
}

function standingReplay(
  { id, destinationId, state, updatedAt }: Dto['ReplayDto'],
  destinations: Standing['destinations'],
  nowMs: number,
): Matter[] {
  if (state !== 'running' || nowMs - Date.parse(updatedAt) <= REPLAY_STANDS_MS) return [];
  return [
    {
      key: `replay ${id}`,
      where: <To href={`/destinations/${destinationId}`}>Replay to {nameOf(destinations, destinationId)}</To>,
      what: <Bad state="Stands still" since={updatedAt} />,
    },
  ];
}

/** Whoever paused it may have forgotten, and what waits grows too old. */
function pausedDeliveries({ id, name, health, pending, countedUpTo }: Dto['ListedStatsDto']): Matter[] {
  if (health.state !== 'paused' || pending === 0) return [];
  const words = `${counted(pending, countedUpTo)} ${pending === 1 ? 'waits' : 'wait'} for somebody to resume it.`;
  return [
    {
      key: `paused ${id}`,
      where: <To href={`/destinations/${id}`}>Destination {name}</To>,
      what: (
        <Group gap="sm">
          <Health health={health} />
          <Words>{words}</Words>
        </Group>
      ),
    },
  ];
}

function deadLetters({ id, name, deadLetters: count, countedUpTo }: Dto['ListedStatsDto']): Matter[] {
  if (count === 0) return [];
  const what = `${counted(count, countedUpTo)} ${count === 1 ? 'waits' : 'wait'} to be sent again or discarded.`;
  return [
    {
      key: `dead ${id}`,
      where: <To href={`/destinations/${id}/dead-letters`}>Dead letters of {name}</To>,
      what: <Words>{what}</Words>,
    },
  ];
}

function quarantine({ quarantine: { events, countedUpTo } }: Dto['StatsDto']): Matter[] {
  if (events === 0) return [];
  const what = `${counted(events, countedUpTo)} ${events === 1 ? 'waits' : 'wait'} to be released or discarded.`;
  return [
    {
      key: 'quarantine',
      where: <To href="/events/quarantined">Quarantined events</To>,
      what: <Words>{what}</Words>,
    },
  ];
}

function Bad({ state, since }: { readonly state: string; readonly since: string | null }): ReactNode {
  return (
    <Group gap="sm">
      <StatusBadge tone="bad">{state}</StatusBadge>
      {since !== null && (
        <Text size="sm">
          since <Time at={since} />
        </Text>
      )}
    </Group>
  );
}

function Words({ children }: { readonly children: string }): ReactNode {
  return <Text size="sm">{children}</Text>;
}
