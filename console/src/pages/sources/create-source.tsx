import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { api, bodyOf, type Dto } from '../../api/client';
import { FormEnd } from '../../shared/form-end';
import { WriteKey } from './write-key';

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
        title={created === undefined ? 'Create a source' : `Write key of ${created.name}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {created === undefined ? (
          <SourceForm onCreated={setCreated} />
        ) : (
          <Stack>
            <Text size="sm">
              Give it to the SDK of this source, as the snippets show. Events count as coming from here.
            </Text>
            {created.writeKey !== null && <WriteKey writeKey={created.writeKey} />}
            <Group justify="flex-end">
              <Button onClick={close}>Go on to the first event</Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}

function SourceForm({ onCreated }: { readonly onCreated: (source: Dto['SourceDto']) => void }): ReactNode {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => bodyOf(api.POST('/sources', { body: { name, description } })),
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
      <Stack>
        <TextInput
          label="Name"
          placeholder="Web shop"
          required
          maxLength={200}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="Description"
          maxLength={2000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <FormEnd action="Create" saving={create} />
      </Stack>
    </form>
  );
}
