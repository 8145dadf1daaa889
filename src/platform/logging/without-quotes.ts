/**
 * What an error says without what it stumbled over, which it quotes, quotes within included. Logs and queues are no
 * place for what people sent: no deletion would find it there.
 */
export function withoutQuotes(reason: string): string {
  return reason.replace(/".*"|".*/s, '"…"');
}
