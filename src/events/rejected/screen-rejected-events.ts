import { screeningOf } from '../unstored/screening';

/** What was sent is no event: whom it names it may be of, for ids in it need not be what they seem. */
export const rejectedScreening = screeningOf('rejected_event', (named) => [...named]);
