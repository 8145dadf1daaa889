import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { GatheredKinds } from '../platform/background/gathered-kinds';
import { Database } from '../platform/database/database';
import type { Violation } from '../tracking-plans/language/plan';
import {
  countViolations,
  MAX_SAMPLES,
  type ViolationCount,
  type ViolationOutcome,
  type ViolationSample,
} from '../tracking-plans/violations/count-violations';
import { BoundedNames } from './bounded-names';
import { BoundedPaths } from './bounded-paths';

const FLUSH_MS = 500;
/** That wait to be written; of what is beyond them nothing is counted. */
const MAX_KINDS = 5_000;

/** By which plan an event was judged, and whose it is. */
interface Judged {
  readonly planId: string;
  readonly version: number;
  readonly sourceId: string;
  readonly outcome: ViolationOutcome;
  /** Where it is stored or quarantined. */
  readonly eventId: string | undefined;
}

interface Kind extends ViolationCount {
  readonly counts: Record<ViolationOutcome, number>;
  readonly samples: ViolationSample[];
}

/** Counts in what events differ from their tracking plans. A crash loses the counts of half a second, nothing else. */
@Injectable()
export class ViolationLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ViolationLog.name);
  private readonly kinds = new GatheredKinds<Kind>({
    everyMs: FLUSH_MS,
    maxKinds: MAX_KINDS,
    write: (kinds) => countViolations(kinds, this.database),
    report: (error) => this.logger.debug(`Counts of violations are lost: ${String(error)}`),
  });
  private readonly paths = new BoundedPaths();
  /** Of events without a rule, whose names clients make up. */
  private readonly unplanned = new BoundedNames(othersOf);

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.kinds.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.kinds.stop();
  }

  note(violations: readonly Violation[], judged: Judged): void {
    const { eventId, outcome } = judged;
    for (const violation of violations) {
      const kind = this.kindOf(violation, judged);
      if (kind === undefined) continue;
      kind.counts[outcome] += 1;
      if (eventId !== undefined && kind.samples.length < MAX_SAMPLES) kind.samples.push({ eventId });
    }
  }

  private kindOf({ rule: label, path, code, keyword = '' }: Violation, judged: Judged): Kind | undefined {
    const { planId, version, sourceId } = judged;
    const rule = code === 'unplanned_event' ? this.unplanned.nameOf(label, sourceId) : label;
    const named = this.paths.nameOf(path, sourceId);
    const key = JSON.stringify([planId, version, sourceId, rule, named, code, keyword]);
    return this.kinds.find(key, () => {
      const counts = { accepted: 0, quarantined: 0, rejected: 0 };
      return { planId, version, sourceId, rule, path: named, code, keyword, counts, samples: [] };
    });
  }
}

/** `track *`: all of a type. */
function othersOf(rule: string): string {
  const [type = ''] = rule.split(' ', 1);
  return `${type} *`;
}
