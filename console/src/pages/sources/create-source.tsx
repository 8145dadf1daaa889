import { Button, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { api, bodyOf, type Dto } from '../../api/client';
import { FieldProblems } from '../../shared/field-problems';
import { FormEnd } from '../../shared/form-end';
import { DescriptionField, NameField } from '../../shared/named-fields';
import { PlacesInWords } from '../../shared/place-words';
import { LABELS, sourcePlaceWords } from './source-place-words';
import { WebhookAddress } from './webhook-address';
import { bodyOfDraft, NEW_WEBHOOK, type WebhookDraft } from './webhook-draft';
import { WebhookFields } from './webhook-fields';
import { WriteKey } from './write-key';

const KINDS = [
  { value: 'sdk', label: 'SDKs send events' },
  { value: 'webhook', label: 'Others post their webhooks' },
];

/** A button and the dialog behind it: first the name, then the write key of the source that was made. */
export function CreateSource(): ReactNode {
  const [opened, setOpened] = useState(false);
  const [created, setCreated] = useState<Dto['SourceDto']>();
  const [, goTo] = useLocation();
  const close = (): void => {
    setOpened(false);
    if (created !== undefined) goTo(`/sources/${created.id}`);
  };
  return (
    <>
      <Button onClick={() => setOpened(true)}>Create a source</Button>
      <Modal
        opened={opened}
        onClose={close}
        size="lg"
        title={created === undefined ? 'Create a source' : madeTitle(created)}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {created === undefined ? (
          <SourceForm onCreated={setCreated} />
        ) : (
          <Stack>
            <Made source={created} />
            <Group justify="flex-end">
              <Button onClick={close}>Go on to the first event</Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}

function madeTitle({ kind, name }: Dto['SourceDto']): string {
  return `${kind === 'webhook' ? 'Address' : 'Write key'} of ${name}`;
}

function Made({ source: { kind, writeKey } }: { readonly source: Dto['SourceDto'] }): ReactNode {
  if (writeKey === null) return undefined;
  if (kind === 'webhook') return <WebhookAddress writeKey={writeKey} />;
  return (
    <>
      <Text size="sm">
        Give it to the SDK of this source, as the snippets show. Events count as coming from here.
      </Text>
      <WriteKey writeKey={writeKey} />
    </>
  );
}

function SourceForm({ onCreated }: { readonly onCreated: (source: Dto['SourceDto']) => void }): ReactNode {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [webhook, setWebhook] = useState<WebhookDraft>();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => {
      const more = webhook === undefined ? {} : { kind: 'webhook' as const, ...bodyOfDraft(webhook) };
      return bodyOf(api.POST('/sources', { body: { name, description, ...more } }));
    },
    onSuccess: (source) => {
      void queries.invalidateQueries({ queryKey: ['sources'] });
      onCreated(source);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <PlacesInWords words={sourcePlaceWords}>
        <Stack>
          <FieldProblems error={create.error}>
            <NameField placeholder="Web shop" data-autofocus value={name} onChange={setName} />
            <DescriptionField value={description} onChange={setDescription} />
            <NativeSelect
              label={LABELS.kind}
              description="It never changes."
              data={KINDS}
              value={webhook === undefined ? 'sdk' : 'webhook'}
              onChange={({ currentTarget: { value } }) =>
                setWebhook(value === 'webhook' ? NEW_WEBHOOK : undefined)
              }
            />
            {webhook !== undefined && <WebhookFields draft={webhook} onChange={setWebhook} />}
          </FieldProblems>
          <FormEnd action="Create" saving={create} />
        </Stack>
      </PlacesInWords>
    </form>
  );
}
