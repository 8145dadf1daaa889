import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface ActionModalProps extends Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size'> {
  /** It cannot be closed now: something runs of which nobody would see what came, or a secret is shown. */
  readonly stays: boolean;
  readonly children: ReactNode;
}

/** A dialog in which something is done. While that runs it stays, whatever key is pressed. */
export function ActionModal({ stays, ...modal }: ActionModalProps): ReactNode {
  return (
    <Modal
      {...modal}
      closeOnEscape={!stays}
      closeOnClickOutside={!stays}
      closeButtonProps={{ 'aria-label': 'Close', disabled: stays }}
    />
  );
}
