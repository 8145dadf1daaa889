/** The time that statistics look back. */
export const SPAN_NAMES = ['hour', 'day'] as const;
export type SpanName = (typeof SPAN_NAMES)[number];
