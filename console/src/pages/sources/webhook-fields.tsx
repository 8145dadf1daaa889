import { Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { TransformationSelect } from '../../shared/transformation-select';
import { SCHEMES, signsTime, type WebhookDraft } from './webhook-draft';

const SCHEME_OPTIONS = [
  { value: '', label: 'Not signed: whoever knows the address is believed' },
  ...Object.entries(SCHEMES).map(([value, { label }]) => ({ value, label })),
];
const UNTRANSFORMED = [
  { value: 'keep', label: 'Keep them until somebody says what they mean' },
  { value: 'track', label: 'Make a track event of each' },
];

interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
}

/** What is to be said of a webhook. */
export function WebhookFields({ draft, onChange }: WebhookFieldsProps): ReactNode {
  const set = (change: Partial<Record<keyof WebhookDraft, string>>): void =>
    onChange({ ...draft, ...change } as WebhookDraft);
  return (
    <>
      <TransformationSelect
        description="Its code makes events of the requests."
        chosen={draft.transformationId}
        onChange={(transformationId) => set({ transformationId })}
      />
      {draft.transformationId === '' && (
        <NativeSelect
          label="Requests"
          data={UNTRANSFORMED}
          value={draft.untransformed}
          onChange={(event) => set({ untransformed: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        label="Signature"
        data={SCHEME_OPTIONS}
        value={draft.scheme}
        onChange={(event) => set({ scheme: event.currentTarget.value })}
      />
      {draft.scheme !== '' && (
        <Textarea
          label="Secrets"
          description="One a line: any of them may sign. What begins with **** stays as it is."
          required
          autosize
          value={draft.secrets}
          onChange={(event) => set({ secrets: event.currentTarget.value })}
        />
      )}
      {draft.scheme === 'hmac' && <HmacFields draft={draft} set={set} />}
      {signsTime(draft) && (
        <TextInput
          label="Seconds from now"
          description="How far the time that is signed may be from now, before or after."
          inputMode="numeric"
          required
          pattern="[0-9]+"
          value={draft.toleranceSeconds}
          onChange={(event) => set({ toleranceSeconds: event.currentTarget.value })}
        />
      )}
    </>
  );
}

interface HmacFieldsProps {
  readonly draft: WebhookDraft;
  readonly set: (change: Partial<Record<keyof WebhookDraft, string>>) => void;
}

function HmacFields({ draft, set }: HmacFieldsProps): ReactNode {
  return (
    <>
      <Group grow>
        <TextInput
          label="Header of the signature"
          placeholder="X-Signature"
          required
          value={draft.header}
          onChange={(event) => set({ header: event.currentTarget.value })}
        />
        <TextInput
          label="In front of it"
          placeholder="sha256="
          value={draft.prefix}
          onChange={(event) => set({ prefix: event.currentTarget.value })}
        />
      </Group>
      <Group grow>
        <NativeSelect
          label="Algorithm"
          data={['sha256', 'sha512', 'sha1']}
          value={draft.algorithm}
          onChange={(event) => set({ algorithm: event.currentTarget.value })}
        />
        <NativeSelect
          label="Encoding"
          data={['hex', 'base64']}
          value={draft.encoding}
          onChange={(event) => set({ encoding: event.currentTarget.value })}
        />
      </Group>
      <TextInput
        label="Header of the time"
        description="In seconds since 1970. Then the HMAC is that of <time>.<body>."
        value={draft.timestampHeader}
        onChange={(event) => set({ timestampHeader: event.currentTarget.value })}
      />
    </>
  );
}
