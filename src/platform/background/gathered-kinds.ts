import { BackgroundLoop } from './background-loop';

/** How often what is gathered is written, and by whom. */
interface Gathering<Kind> {
  readonly everyMs: number;
  /** That may wait to be written; of others nothing is gathered. */
  readonly maxKinds?: number;
  readonly write: (kinds: readonly Kind[]) => Promise<void>;
  /** Told when they could not be written: they are lost. */
  readonly report: (error: unknown) => void;
}

/**
 * What comes often, gathered in memory by its kind and written together every so often. Nobody waits for it, and
 * nothing depends on it: a crash or an outage loses what was gathered last.
 */
export class GatheredKinds<Kind> {
  private kinds = new Map<string, Kind>();
  private readonly loop: BackgroundLoop;

  constructor(private readonly gathering: Gathering<Kind>) {
    this.loop = new BackgroundLoop(() => this.flush(), gathering.everyMs, gathering.report);
  }

  start(): void {
    this.loop.start();
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.flush().catch(() => undefined); // As after a crash.
  }

  /** The kind with this key, made where there is none; undefined when too many wait. */
  find(key: string, make: () => Kind): Kind | undefined {
    let kind = this.kinds.get(key);
    if (kind === undefined && this.kinds.size < (this.gathering.maxKinds ?? Infinity)) {
      kind = make();
      this.kinds.set(key, kind);
    }
    return kind;
  }

  private async flush(): Promise<void> {
    if (this.kinds.size === 0) return;
    const kinds = [...this.kinds.values()];
    this.kinds = new Map();
    await this.gathering.write(kinds);
  }
}
