import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { memberAt, useProblemAt } from '../../field-problems';
import { LABELS } from '../field-labels';
import { WINDOW_LIMITS } from './time-draft';
import { TimeFields } from './time-fields';
import type { WindowDraft } from './window-draft';

interface WindowFieldsProps {
  /** What is in the window: `When`. */
  readonly label: string;
  /** What it means when nothing is written; without it something has to be. */
  readonly without?: string;
  readonly window: WindowDraft;
  /** Where what has this window stands. */
  readonly path: string;
  readonly onChange: (window: WindowDraft) => void;
}

/** When events are. */
export function WindowFields({ label, without, window, path, onChange }: WindowFieldsProps): ReactNode {
  const change = (changes: Partial<WindowDraft>): void => onChange({ ...window, ...changes });
  return (
    <Group align="flex-start" gap="xs">
      <NativeSelect
        label={label}
        data={[
          { value: 'last', label: 'in the last days or hours' },
          { value: 'range', label: 'in a range of time' },
        ]}
        value={window.kind}
        onChange={({ currentTarget }) => change({ kind: currentTarget.value as WindowDraft['kind'] })}
      />
      {window.kind === 'last' ? (
        <TimeFields
          label={LABELS.within}
          without={without}
          time={window.time}
          limits={WINDOW_LIMITS}
          path={path}
          onChange={(time) => change({ time })}
        />
      ) : (
        <RangeFields window={window} path={path} onChange={change} />
      )}
    </Group>
  );
}

interface RangeFieldsProps {
  readonly window: WindowDraft;
  readonly path: string;
  readonly onChange: (changes: Partial<WindowDraft>) => void;
}

function RangeFields({ window: { from, to }, path, onChange }: RangeFieldsProps): ReactNode {
  return (
    <>
      <TextInput
        label={LABELS.from}
        placeholder="2026-11-01"
        maxLength={40}
        w={220}
        value={from}
        error={useProblemAt(memberAt(path, 'from'))}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
      />
      <TextInput
        label={LABELS.to}
        placeholder="2026-12-01T12:00Z"
        maxLength={40}
        w={220}
        value={to}
        error={useProblemAt(memberAt(path, 'to'))}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
      />
    </>
  );
}
