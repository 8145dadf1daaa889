import type { TestService } from './test-service';
import { aToken } from './a-token';

/** A message of a stream of Server-Sent Events. */
export interface TailMessage {
  readonly type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read it member by member and assert on it.
  readonly data: any;
}

/** Watches the live tail of a service under test. */
export class TailClient {
  readonly messages: TailMessage[] = [];
  lastId = '';
  ended = false;

  private constructor(
    readonly answer: Response,
    private readonly controller: AbortController,
  ) {}

  /** Resolves when the service has answered: what is accepted from now on is seen. */
  static async open(
    service: TestService,
    query = '',
    headers: Record<string, string> = {},
  ): Promise<TailClient> {
    const controller = new AbortController();
    const answer = await fetch(`${service.url}/events/tail?${query}`, {
      headers: { authorization: `Bearer ${await aToken(service, ['cdp:read'])}`, ...headers },
      signal: controller.signal,
    });
    const client = new TailClient(answer, controller);
    void client
      .read()
      .catch(() => undefined)
      .finally(() => (client.ended = true));
    return client;
  }

  /** The message ids of the events that were shown. */
  get shown(): string[] {
    return this.messages
      .filter(({ type }) => type !== 'left_out')
      .map(({ data }) => data.messageId as string);
  }

  get leftOut(): number {
    return this.messages
      .filter(({ type }) => type === 'left_out')
      .reduce((sum, { data }) => sum + (data.count as number), 0);
  }

  close(): void {
    this.controller.abort();
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this.answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
    }
  }

  private take(block: string): void {
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    this.lastId = field('id') ?? this.lastId;
    const data = field('data');
    if (data !== undefined) this.messages.push({ type: field('event') ?? 'message', data: JSON.parse(data) });
  }
}
