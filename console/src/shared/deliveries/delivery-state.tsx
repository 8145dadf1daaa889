import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { DELIVERY_STATES } from '../states';
import { StatusBadge } from '../status-badge';

interface DeliveryStateProps {
  readonly state: Dto['TracedDestinationDto']['outcome'];
}

export function DeliveryState({ state }: DeliveryStateProps): ReactNode {
  const { tone, word } = DELIVERY_STATES[state];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}
