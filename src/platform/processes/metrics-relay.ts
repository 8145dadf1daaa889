import type { Worker } from 'node:cluster';
import { isProcessMessage, type ProcessMessage } from './messages';
import { mergeMetrics } from './merge-metrics';

/** A process that hangs is left out. Scrapers wait for ten seconds. */
const TIMEOUT_MS = 2_000;

interface Round {
  readonly texts: string[];
  missing: number;
  finish(): void;
}

/** In the first process: a scrape reaches any of the processes, and wants the metrics of all. */
export class MetricsRelay {
  private readonly rounds = new Map<number, Round>();
  private lastRound = 0;

  /** @param workers the processes that are up */
  constructor(private readonly workers: () => readonly Worker[]) {}

  /** Takes a message of one of them. */
  async onMessage(sender: Worker, message: unknown): Promise<void> {
    if (!isProcessMessage(message)) return;
    if (message.kind === 'metrics-of-one') {
      const round = this.rounds.get(message.round);
      if (round === undefined) return;
      round.texts.push(message.text);
      round.missing -= 1;
      if (round.missing === 0) round.finish();
    } else if (message.kind === 'metrics-wanted') {
      const { question } = message;
      tell(sender, { kind: 'metrics-of-all', question, text: mergeMetrics(await this.collect()) });
    }
  }

  private async collect(): Promise<readonly string[]> {
    const workers = this.workers();
    const number = ++this.lastRound;
    const texts: string[] = [];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, TIMEOUT_MS);
      const finish = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.rounds.set(number, { texts, missing: workers.length, finish });
      for (const worker of workers) tell(worker, { kind: 'give-metrics', round: number });
    });
    this.rounds.delete(number);
    return texts;
  }
}

function tell(worker: Worker, message: ProcessMessage): void {
  // A process that has just died needs no message.
  if (worker.isConnected()) worker.send(message, () => undefined);
}
