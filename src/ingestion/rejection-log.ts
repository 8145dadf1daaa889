import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { isJsonObject, type JsonObject, type JsonValue } from '../events/customer-event';
import { plainNumber, stringifyExactly } from '../events/exact-json';
import {
  keepRejectedEvents,
  KEPT_PER_HOUR,
  type RejectionToKeep,
  type RejectedProblem,
  type Rejections,
} from '../events/rejected/keep-rejected-events';
import { GatheredKinds } from '../platform/background/gathered-kinds';
import { Config } from '../platform/config/config';
import { Database } from '../platform/database/database';
import { newRowId } from '../platform/database/connections/database-clock';
import { subjectsSent } from './parsing/subjects-sent';
import { BoundedPaths } from './bounded-paths';

const FLUSH_MS = 500;
/** Kinds of rejections, and bytes of events, that wait to be written; beyond them nothing more is kept. */
const MAX_KINDS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Of the JSON of one event. */
const MAX_PAYLOAD_CHARACTERS = 32 * 1024;
const MAX_TEXT_CHARACTERS = 1_024;

/** What should have been an event. */
export interface Rejected {
  readonly sourceId: string;
  readonly sent: unknown;
  /** Of its batch. */
  readonly context: JsonObject | undefined;
  /** As the answer names it, made or cleaned; undefined where what was sent is none. */
  readonly messageId: string | undefined;
  /** Of a call of one event. */
  readonly type: string | undefined;
}

interface Kind extends Rejections {
  count: number;
  readonly events: RejectionToKeep[];
}

/**
 * Has rejected events kept, so that people can see why. A 400 promises nothing: they are written in the background, and
 * a crash loses those of half a second.
 */
@Injectable()
export class RejectionLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RejectionLog.name);
  private readonly kinds = new GatheredKinds<Kind>({
    everyMs: FLUSH_MS,
    maxKinds: MAX_KINDS,
    write: (kinds) => this.write(kinds),
    report: (error) => this.logger.debug(`Rejected events are not kept: ${String(error)}`),
  });
  private readonly paths = new BoundedPaths();
  private bytes = 0;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.kinds.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.kinds.stop();
  }

  note(rejected: Rejected, problems: readonly RejectedProblem[]): void {
    this.prepare(rejected, problems)();
  }

  /**
   * What notes it, if it comes to that, as rejected now: who is erased before it is noted is found in it all the same.
   */
  prepare({ sourceId, ...rejected }: Rejected, problems: readonly RejectedProblem[]): () => void {
    const id = newRowId();
    return () => {
      const [first] = problems;
      const kind = first && this.kindOf(sourceId, first);
      if (kind === undefined) return;
      kind.count += 1;
      if (kind.events.length >= KEPT_PER_HOUR || this.bytes >= MAX_BYTES) return;
      const event = describe(id, rejected, problems);
      this.bytes += event.payload.length;
      kind.events.push(event);
    };
  }

  private kindOf(sourceId: string, { code, path: exactly }: RejectedProblem): Kind | undefined {
    const path = textOf(this.paths.nameOf(exactly, sourceId)) ?? '';
    return this.kinds.find(`${sourceId} ${code} ${path}`, () => {
      return { sourceId, code, path, count: 0, events: [] };
    });
  }

  private async write(kinds: readonly Kind[]): Promise<void> {
    this.bytes = 0;
    await keepRejectedEvents(kinds, this.config.events.rejectedRetentionDays, this.database);
  }
}

function describe(
  id: string,
  { sent, context, ...known }: Omit<Rejected, 'sourceId'>,
  problems: readonly RejectedProblem[],
): RejectionToKeep {
  const members = membersOf(sent);
  const { type, event, name, messageId, context: own } = members;
  const library = membersOf(membersOf(own ?? context).library);
  return {
    id,
    problems: problems.map(problemOf),
    messageId: textOf(known.messageId ?? messageId),
    type: known.type ?? textOf(type),
    name: textOf(event) ?? textOf(name),
    subjects: subjectsSent(members),
    library: textOf(library.name),
    libraryVersion: textOf(library.version),
    payload: payloadOf(sent),
  };
}

/** With its members and no others; the names in it are what clients sent. */
function problemOf({ code, path, message, keyword, rule }: RejectedProblem): RejectedProblem {
  const ofPlan = rule === undefined ? {} : { rule: textOf(rule) ?? '' };
  return {
    code,
    path: textOf(path) ?? '',
    message: textOf(message) ?? '',
    ...(keyword === undefined ? {} : { keyword }),
    ...ofPlan,
  };
}

/** As it was sent, cut; without the write key, which the body of a single event may hold. */
function payloadOf(sent: unknown): string {
  const shown = isJsonObject(sent) ? { ...sent, writeKey: undefined } : sent;
  try {
    return stringifyExactly(shown as JsonValue)
      .slice(0, MAX_PAYLOAD_CHARACTERS)
      .toWellFormed();
  } catch {
    // May stop here: it is nested deeper than it can be written, and its problem says so.
    return '';
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** As PostgreSQL can store it: without NUL, and cut. */
function textOf(sent: unknown): string | undefined {
  const value = plainNumber(sent);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).slice(0, MAX_TEXT_CHARACTERS).replaceAll('\0', '').toWellFormed();
}
