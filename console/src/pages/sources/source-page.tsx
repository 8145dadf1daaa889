import { Code, Group, Stack, Text } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { AnsweredPage } from '../../shared/answered-page';
import { CopyButton } from '../../shared/copy-button';
import { Section } from '../../shared/section';
import { Time } from '../../shared/time';
import { FirstEvent } from './first-event';
import { RejectedByCode } from '../../shared/rejected-by-code';
import { SourceActions } from './source-actions';
import { SourceName } from './source-name';
import { SourcePlan } from './source-plan';
import { SourceSilence } from './source-silence';
import { EnabledBadge } from './sources-page';
import { HookRequests } from './hook-requests';
import { WebhookAddress } from './webhook-address';
import { WebhookSettings } from './webhook-settings';
import { maskedKey, Snippets } from './write-key';

/** Whoever waits for the first event sees it come, and those after it. */
const LOOK_EVERY_MS = 2_000;

export function SourcePage(): ReactNode {
  const { id = '' } = useParams();
  const source = useQuery({
    queryKey: ['sources', id],
    queryFn: () => bodyOf(api.GET('/sources/{id}', { params: { path: { id } } })),
    refetchInterval: LOOK_EVERY_MS,
  });
  const mayWrite = useCan('write');
  return (
    <AnsweredPage
      query={source}
      fallbackTitle="Source"
      title={({ name }) => name}
      actions={(found) => mayWrite && <SourceActions source={found} />}
    >
      {(found) => <FoundSource source={found} refetch={source.refetch} />}
    </AnsweredPage>
  );
}

interface FoundSourceProps {
  readonly source: Dto['HeardSourceDto'];
  readonly refetch: UseQueryResult<Dto['HeardSourceDto']>['refetch'];
}

function FoundSource({ source, refetch }: FoundSourceProps): ReactNode {
  const { id, description, enabled, createdAt, writeKey, previousWriteKeyExpiresAt } = source;
  const isWebhook = source.kind === 'webhook';
  return (
    <>
      <Group gap="sm">
        <EnabledBadge enabled={enabled} />
        <Text size="sm">
          Created <Time at={createdAt} />
        </Text>
      </Group>
      {description !== '' && <Text>{description}</Text>}
      <Section title={source.lastEventAt === null ? 'First event' : 'Events'}>
        <FirstEvent source={source} />
      </Section>
      <Section title={isWebhook ? 'Address' : 'Write key'}>
        <Stack>
          {writeKey === null ? (
            <Text size="sm">It is sealed with a key that the service lacks. Rotate it to see a new one.</Text>
          ) : isWebhook ? (
            <WebhookAddress writeKey={writeKey} />
          ) : (
            <Group gap="xs">
              <Code>{maskedKey(writeKey)}</Code>
              <CopyButton name="the write key" text={writeKey} />
            </Group>
          )}
          {previousWriteKeyExpiresAt !== null && (
            <Text size="sm">
              The key before it works until <Time at={previousWriteKeyExpiresAt} />.
            </Text>
          )}
          {writeKey !== null && !isWebhook && <Snippets writeKey={writeKey} />}
        </Stack>
      </Section>
      {isWebhook && (
        <>
          <Section title="Requests and their signature">
            <WebhookSettings source={source} refetch={refetch} />
          </Section>
          <Section title="Failed requests">
            <HookRequests sourceId={id} />
          </Section>
        </>
      )}
      <Section title="Tracking plan">
        <SourcePlan source={source} />
      </Section>
      <Section title="Silence">
        <SourceSilence source={source} />
      </Section>
      {useCan('write') && (
        <Section title="Name and description">
          <SourceName source={source} />
        </Section>
      )}
      <Section title="Rejected in the last 24 hours">
        <RejectedByCode sourceId={id} />
      </Section>
    </>
  );
}
