import type { EventType } from '../../events/customer-event';
import type { EventCondition } from '../../language/event-condition';
import type { TimeRange } from './window';

/** Which stored events count for a rule. */
export interface EventTest {
  /** The name of the events: of a track, page or screen; else the type. */
  readonly event: string;
  readonly type?: EventType;
  /** All of them hold for an event that counts. */
  readonly where: readonly EventCondition[];
  /** It is in it. */
  readonly range?: TimeRange;
}
