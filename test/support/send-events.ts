/** What a client needs to send events. */
export interface EventsTarget {
  readonly url: string;
  readonly writeKey: string;
}

/** Sends one batch of tracks with these message ids and answers the status. */
export async function sendTracks(
  { url, writeKey }: EventsTarget,
  messageIds: readonly string[],
): Promise<number> {
  const now = new Date().toISOString();
  const answer = await fetch(`${url}/v1/batch`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      batch: messageIds.map((messageId) => ({
        type: 'track',
        event: 'Order Completed',
        userId: `user-${messageId.length}`,
        messageId,
        timestamp: now,
      })),
      sentAt: now,
    }),
  });
  await answer.arrayBuffer();
  return answer.status;
}
