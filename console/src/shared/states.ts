import type { Dto } from '../api/client';
import type { Tone } from './status-badge';

/** How a state is shown: its word, which is that of the API, and a tone. */
interface StateLook {
  readonly tone: Tone;
  readonly word: string;
}

type Looks<State extends string> = Readonly<Record<State, StateLook>>;

/** What becomes of an event that comes in. */
export const EVENT_OUTCOMES: Looks<'accepted' | 'quarantined' | 'rejected'> = {
  accepted: { tone: 'good', word: 'Accepted' },
  quarantined: { tone: 'warning', word: 'Quarantined' },
  rejected: { tone: 'bad', word: 'Rejected' },
};

/** An event that was accepted although it differs from its tracking plan. */
export const VIOLATING: StateLook = { tone: 'warning', word: 'Accepted with violations' };

/** What becomes of an event at a destination. */
export const DELIVERY_STATES: Looks<Dto['TracedDestinationDto']['outcome']> = {
  delivered: { tone: 'good', word: 'Delivered' },
  pending: { tone: 'warning', word: 'Pending' },
  dead: { tone: 'bad', word: 'Dead' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
  not_routed: { tone: 'neutral', word: 'Not routed' },
};

/** A destination that is degraded, as the API says, because nothing gets there at all is down, or blocked. */
export const DESTINATION_STATES: Looks<Dto['DestinationHealthDto']['state'] | 'down' | 'blocked'> = {
  healthy: { tone: 'good', word: 'Healthy' },
  degraded: { tone: 'warning', word: 'Degraded' },
  down: { tone: 'bad', word: 'Degraded: down' },
  blocked: { tone: 'bad', word: 'Degraded: blocked' },
  paused: { tone: 'neutral', word: 'Paused' },
  disabled: { tone: 'bad', word: 'Disabled' },
};

export const SOURCE_STATES: Looks<'enabled' | 'disabled'> = {
  enabled: { tone: 'good', word: 'Enabled' },
  disabled: { tone: 'neutral', word: 'Disabled' },
};

/** Whether the members of a segment are those of its rules. */
export const SEGMENT_STATES: Looks<Dto['SegmentDto']['state']> = {
  live: { tone: 'good', word: 'Live' },
  computing: { tone: 'warning', word: 'Computing' },
  failed: { tone: 'bad', word: 'Failed' },
};

/** Whether the values of a computed trait are counted or kept. */
export const VALUE_STATES: Looks<Dto['ComputedTraitDto']['values']> = {
  counted: { tone: 'neutral', word: 'Counted' },
  computing: { tone: 'warning', word: 'Computing' },
  kept: { tone: 'good', word: 'Kept' },
};

export const REPLAY_STATES: Looks<Dto['ReplayDto']['state']> = {
  running: { tone: 'warning', word: 'Running' },
  done: { tone: 'good', word: 'Done' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
};
