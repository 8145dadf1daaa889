/** What the service tells destinations that ask for it, beside the events of people. */
export const NOTICES = ['segment_entered', 'segment_exited', 'delete'] as const;
export type Notice = (typeof NOTICES)[number];
