import { ownersAmong } from '../../events/subject';
import { screeningOf } from '../../events/unstored/screening';

/** Quarantined events are shown, and released, once it is known that they name nobody who must not be named. */
export const quarantinedScreening = screeningOf('quarantined_event', ownersAmong);
