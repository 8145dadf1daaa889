import { setTimeout as delay } from 'node:timers/promises';
import { BootError } from '../platform/boot/boot-error';
import type { ClientEnvironment } from '../platform/config/client-environment';
import { demandType, reasonOf, RefusedError } from './client-failure';
import { EventStream, type StreamMessage } from './event-stream';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/** The service says something every 15 seconds. */
const MAX_SILENCE_MS = 45_000;

/** What the terminal shows. */
export interface TailOutput {
  readonly show: (message: StreamMessage) => void;
  /** What happens to the connection. */
  readonly note: (text: string) => void;
}

/** Watches the live tail of a service, and goes on where it was when the connection is lost. */
export class TailClient {
  private readonly stream = new EventStream();
  private pauseMs = FIRST_PAUSE_MS;

  constructor(
    private readonly environment: ClientEnvironment,
    private readonly output: TailOutput,
  ) {}

  /** Never resolves. @throws BootError when the service refuses: another token or filter is needed. */
  async watch(query: URLSearchParams): Promise<never> {
    for (;;) {
      const reason = await this.listen(query);
      this.output.note(`${reason}; trying again`);
      await delay(this.pauseMs);
      this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  /** Returns why it ended. */
  private async listen(query: URLSearchParams): Promise<string> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
    try {
      const answer = await this.open(query, silence.signal);
      if (mayPass(answer)) return `${this.environment.url} answered ${answer.status}`;
      if (!answer.ok) throw new RefusedError(this.environment.url, answer.status, await answer.text());
      demandType('text/event-stream', answer);
      this.stream.reconnect();
      this.output.note(`Listening to ${this.environment.url}`);
      for await (const chunk of answer.body ?? []) {
        timer.refresh();
        this.pauseMs = FIRST_PAUSE_MS;
        for (const message of this.stream.readMessages(chunk)) this.output.show(message);
      }
      return 'The stream has ended';
    } catch (error) {
      if (error instanceof BootError) throw error;
      const reason = silence.signal.aborted ? 'nothing is heard' : reasonOf(error);
      return `The connection to ${this.environment.url} is lost (${reason})`;
    } finally {
      clearTimeout(timer);
    }
  }

  private open(query: URLSearchParams, signal: AbortSignal): Promise<Response> {
    const { url, token } = this.environment;
    const { lastId } = this.stream;
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    };
    return fetch(`${url}/events/tail?${query.toString()}`, { headers, signal });
  }
}

function mayPass({ status }: Response): boolean {
  return status === 429 || status >= 500;
}
