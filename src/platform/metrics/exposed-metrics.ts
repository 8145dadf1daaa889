import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { isProcessMessage, type ProcessMessage } from '../processes/messages';
import { processSlot } from '../processes/process-slot';
import { Metrics } from './metrics';

/** What a scrape gets: the metrics of this process; of all processes of one start, with a label `process`. */
@Injectable()
export class ExposedMetrics implements OnModuleInit, OnModuleDestroy {
  private readonly questions = new Map<number, (text: string) => void>();
  private lastQuestion = 0;
  private readonly slot = processSlot();
  private readonly listener = (message: unknown): void => void this.onMessage(message);

  constructor(private readonly metrics: Metrics) {}

  onModuleInit(): void {
    if (this.slot === undefined) return;
    this.metrics.labelAll({ process: String(this.slot) });
    process.on('message', this.listener);
  }

  onModuleDestroy(): void {
    process.off('message', this.listener);
  }

  text(): Promise<string> {
    if (this.slot === undefined || !process.connected) return this.metrics.text();
    const question = ++this.lastQuestion;
    return new Promise((resolve) => {
      this.questions.set(question, resolve);
      tellFirst({ kind: 'metrics-wanted', question });
    });
  }

  private async onMessage(message: unknown): Promise<void> {
    if (!isProcessMessage(message)) return;
    if (message.kind === 'give-metrics') {
      tellFirst({ kind: 'metrics-of-one', round: message.round, text: await this.metrics.text() });
    } else if (message.kind === 'metrics-of-all') {
      this.questions.get(message.question)?.(message.text);
      this.questions.delete(message.question);
    }
  }
}

function tellFirst(message: ProcessMessage): void {
  process.send?.(message);
}
