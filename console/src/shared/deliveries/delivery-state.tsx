import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { StatusBadge, type Tone } from '../status-badge';

type Outcome = Dto['TracedDestinationDto']['outcome'];

/** What can become of an event at a destination, in words. */
export const DELIVERY_STATES: Readonly<Record<Outcome, { readonly tone: Tone; readonly word: string }>> = {
  delivered: { tone: 'good', word: 'Delivered' },
  pending: { tone: 'warning', word: 'Pending' },
  dead: { tone: 'bad', word: 'Dead' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
  not_routed: { tone: 'neutral', word: 'Not routed' },
};

export function DeliveryState({ state }: { readonly state: Outcome }): ReactNode {
  return <StatusBadge tone={DELIVERY_STATES[state].tone}>{DELIVERY_STATES[state].word}</StatusBadge>;
}
