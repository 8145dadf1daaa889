import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { copyText } from './copy-text';

interface CopyButtonProps {
  /** What is copied, as part of a sentence: `the write key`. */
  readonly name: string;
  readonly text: string;
  readonly onCopied?: () => void;
}

export function CopyButton({ name, text, onCopied }: CopyButtonProps): ReactNode {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    const copied = await copyText(text);
    setState(copied ? 'copied' : 'failed');
    if (copied) onCopied?.();
  };
  return (
    <Button size="compact-sm" variant="default" aria-label={`Copy ${name}`} onClick={() => void copy()}>
      <span aria-live="polite">{LABELS[state]}</span>
    </Button>
  );
}

const LABELS = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy it' };
