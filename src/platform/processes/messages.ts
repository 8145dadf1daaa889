/** What the processes of one start say to each other, over the channel of `node:cluster`. */
export type ProcessMessage =
  /** From a process to the first one: a scraper asks for metrics. */
  | { readonly kind: 'metrics-wanted'; readonly question: number }
  /** The first one to each. */
  | { readonly kind: 'give-metrics'; readonly round: number }
  | { readonly kind: 'metrics-of-one'; readonly round: number; readonly text: string }
  /** The first one to the one that asked. */
  | { readonly kind: 'metrics-of-all'; readonly question: number; readonly text: string };

const KINDS: ReadonlySet<unknown> = new Set<ProcessMessage['kind']>([
  'metrics-wanted',
  'give-metrics',
  'metrics-of-one',
  'metrics-of-all',
]);

/** The channel carries other messages too. */
export function isProcessMessage(message: unknown): message is ProcessMessage {
  return typeof message === 'object' && message !== null && 'kind' in message && KINDS.has(message.kind);
}
