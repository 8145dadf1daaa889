import { Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProblemAt, useProblemsIn } from '../../shared/field-problems';
import { TransformationSelect } from '../../shared/transformation-select';
import { LABELS } from './source-place-words';
import { SCHEMES, signsTime, type WebhookDraft } from './webhook-draft';

const SCHEME_OPTIONS = [
  { value: '', label: 'Not signed: whoever knows the address is believed' },
  ...Object.entries(SCHEMES).map(([value, { label }]) => ({ value, label })),
];
const UNTRANSFORMED = [
  { value: 'keep', label: 'Keep them until somebody says what they mean' },
  { value: 'track', label: 'Make a track event of each' },
];

const MASKS_STAY = ' What begins with **** stays as it is.';

interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
}

/** What is to be said of a webhook. */
export function WebhookFields({ draft, onChange }: WebhookFieldsProps): ReactNode {
  const [untransformed, scheme] = [useProblemAt('untransformed'), useProblemAt('signature.scheme')];
  const [secrets, tolerance] = [
    useProblemsIn('signature.secrets'),
    useProblemAt('signature.toleranceSeconds'),
  ];
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
          label={LABELS.untransformed}
          error={untransformed}
          data={UNTRANSFORMED}
          value={draft.untransformed}
          onChange={(event) => set({ untransformed: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        label={LABELS['signature.scheme']}
        error={scheme}
        data={SCHEME_OPTIONS}
        value={draft.scheme}
        onChange={(event) => set({ scheme: event.currentTarget.value })}
      />
      {draft.scheme !== '' && (
        <Textarea
          label={LABELS['signature.secrets']}
          error={secrets}
          description={`One a line: any of them may sign.${isMasked(draft) ? MASKS_STAY : ''}`}
          required
          autosize
          value={draft.secrets}
          onChange={(event) => set({ secrets: event.currentTarget.value })}
        />
      )}
      {draft.scheme === 'hmac' && <HmacFields draft={draft} set={set} />}
      {signsTime(draft) && (
        <TextInput
          label={LABELS['signature.toleranceSeconds']}
          error={tolerance}
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

/** Whether it has secrets that are kept already. */
function isMasked({ secrets }: WebhookDraft): boolean {
  return /^\*{4}/m.test(secrets);
}

interface HmacFieldsProps {
  readonly draft: WebhookDraft;
  readonly set: (change: Partial<Record<keyof WebhookDraft, string>>) => void;
}

function HmacFields({ draft, set }: HmacFieldsProps): ReactNode {
  const [header, prefix] = [useProblemAt('signature.header'), useProblemAt('signature.prefix')];
  const [algorithm, encoding] = [useProblemAt('signature.algorithm'), useProblemAt('signature.encoding')];
  const timestampHeader = useProblemAt('signature.timestampHeader');
  return (
    <>
      <Group grow align="start">
        <TextInput
          label={LABELS['signature.header']}
          error={header}
          placeholder="X-Signature"
          required
          value={draft.header}
          onChange={(event) => set({ header: event.currentTarget.value })}
        />
        <TextInput
          label={LABELS['signature.prefix']}
          error={prefix}
          placeholder="sha256="
          value={draft.prefix}
          onChange={(event) => set({ prefix: event.currentTarget.value })}
        />
      </Group>
      <Group grow align="start">
        <NativeSelect
          label={LABELS['signature.algorithm']}
          error={algorithm}
          data={['sha256', 'sha512', 'sha1']}
          value={draft.algorithm}
          onChange={(event) => set({ algorithm: event.currentTarget.value })}
        />
        <NativeSelect
          label={LABELS['signature.encoding']}
          error={encoding}
          data={['hex', 'base64']}
          value={draft.encoding}
          onChange={(event) => set({ encoding: event.currentTarget.value })}
        />
      </Group>
      <TextInput
        label={LABELS['signature.timestampHeader']}
        error={timestampHeader}
        description="In seconds since 1970. Then the HMAC is that of <time>.<body>."
        value={draft.timestampHeader}
        onChange={(event) => set({ timestampHeader: event.currentTarget.value })}
      />
    </>
  );
}
