import { screeningOf } from '../unstored/screening';

export const rejectedScreening = screeningOf('rejected_event');
