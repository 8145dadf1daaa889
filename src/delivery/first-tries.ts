import { Injectable, Logger } from '@nestjs/common';
import { JobDispatcher, type NewJob } from '../platform/queues/job-dispatcher';
import { Shortcut } from '../platform/queues/shortcut';
import type { ClaimedDelivery } from './ledger/claiming/claimed-delivery';
import { type HeadHint, HeadHints } from './order/head-hints';
import { noTriesOf } from './ledger/claiming/known-tries';
import { Ledger } from './ledger/ledger';

/** Deliveries that one job brings at most. */
export const MAX_JOB_DELIVERIES = 100;

/** Deliveries of one destination that are due and have not been tried. */
interface DeliveryChunk {
  readonly destinationId: string;
  readonly destinationName: string;
  readonly deliveryIds: readonly string[];
}

/** One that was just written. */
export interface NewChunk extends DeliveryChunk {
  /** What is known of its deliveries without the ledger: with their bodies, which must not be held for long. */
  readonly fresh: readonly ClaimedDelivery[];
}

/** Begins to try what the chunk has; resolves when that is over. Answers nothing where it is better left to a job. */
type TryHere = (chunk: DeliveryChunk) => Promise<void> | undefined;

/** Brings new deliveries to their first tries: in this process, as long as it keeps up, else through the queue. */
@Injectable()
export class FirstTries {
  private readonly logger = new Logger(FirstTries.name);
  private readonly shortcut: Shortcut<'deliveries', DeliveryChunk>;
  private tryHere: TryHere | undefined;

  constructor(
    private readonly dispatcher: JobDispatcher,
    private readonly ledger: Ledger,
    private readonly heads: HeadHints,
  ) {
    this.shortcut = new Shortcut(dispatcher, 'deliveries', (chunks) => joined(chunks).map(jobFor));
  }

  /** First tries are made by this process from now on. */
  makeHere(tryHere: TryHere): void {
    this.tryHere = tryHere;
  }

  /**
   * Sees to it that the deliveries are tried. Where that needs a job and the queue takes none, they are due at once
   * instead of after the grace of their jobs, and the sweeper finds them. Never rejects.
   */
  async bringOn(chunks: readonly NewChunk[], heads: readonly HeadHint[]): Promise<void> {
    if (heads.length > 0 && !(await this.shortcut.isClosed())) this.heads.give(heads);
    if (chunks.length === 0) return;
    for (const { fresh } of chunks) this.ledger.keepFresh(fresh);
    const left = await this.leftToJobs(chunks.map(withoutBodies));
    if (await this.dispatcher.dispatch('deliveries', left.map(jobFor))) return;
    const ids = left.flatMap(({ deliveryIds }) => deliveryIds);
    await this.ledger
      .defer(ids, noTriesOf(ids))
      .catch((error: unknown) =>
        this.logger.warn(`Deliveries wait for the grace of their jobs: ${String(error)}`),
      );
  }

  /** Begins with what can be tried here, and answers the rest. */
  private async leftToJobs(chunks: readonly DeliveryChunk[]): Promise<readonly DeliveryChunk[]> {
    const { tryHere } = this;
    if (tryHere === undefined || chunks.length === 0 || (await this.shortcut.isClosed())) return chunks;
    return chunks.filter((chunk) => {
      const tried = tryHere(chunk);
      void tried?.then(() => this.shortcut.show(chunk));
      return tried === undefined;
    });
  }
}

function withoutBodies({ destinationId, destinationName, deliveryIds }: NewChunk): DeliveryChunk {
  return { destinationId, destinationName, deliveryIds };
}

function jobFor({ destinationId, destinationName, deliveryIds }: DeliveryChunk): NewJob<'deliveries'> {
  return {
    id: `${destinationId}-${deliveryIds[0]}`,
    name: `${destinationName} (${deliveryIds.length} events)`,
    data: { destinationId, deliveryIds },
    // The rows in PostgreSQL are what is kept of a job that failed.
    options: { removeOnFail: { count: 1_000 } },
  };
}

/** The same deliveries in as few chunks as jobs would need. */
function joined(chunks: readonly DeliveryChunk[]): DeliveryChunk[] {
  const all: DeliveryChunk[] = [];
  const last = new Map<string, number>();
  for (const chunk of chunks) {
    const { destinationId, destinationName } = chunk;
    const index = last.get(destinationId) ?? -1;
    const deliveryIds = [...(all[index]?.deliveryIds ?? []), ...chunk.deliveryIds];
    if (index >= 0 && deliveryIds.length <= MAX_JOB_DELIVERIES) {
      all[index] = { destinationId, destinationName, deliveryIds };
      continue;
    }
    last.set(destinationId, all.push(chunk) - 1);
  }
  return all;
}
