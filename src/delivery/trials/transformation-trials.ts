import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ParsedFilter } from '../../destinations/filter/filter';
import type { CustomerEvent, JsonObject } from '../../events/customer-event';
import { headOf } from '../../events/event-head.dto';
import { payloadOf } from '../../events/event-payload';
import { parseExactly } from '../../events/exact-json';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { InvalidRequestError } from '../../platform/http/problems/problem';
import { codeProblem } from '../../transformations/code-problem';
import type { SandboxedCode } from '../../transformations/sandbox/sandbox-result';
import { transformEvent } from '../../transformations/transform-event';
import { contextOfPerson } from '../sending/delivery-context';
import { readFilter } from '../routing/read-filter';
import { diffJson } from './diff-json';
import { judgeNewestEvents } from './judge-newest-events';
import {
  MAX_TRIED,
  type TestTransformationDto,
  type TransformationTrialDto,
  type TriedEventDto,
} from './transformation-trial.dto';
import { TrialsBusyError } from './transformation-trial-problems';
import { TrialSandbox } from './trial-sandbox';

/** Where a filter chooses the events. */
const MAX_CONSIDERED = 1_000;
/** In a process: they share one thread. */
const MAX_TRIALS = 2;
/**
 * Fewer events rather than an answer for which nobody waits. The call that is under way then may take some seconds
 * more.
 */
const MAX_TRIAL_MS = 10_000;
/** Of the events before and after, and again as much for what is different. */
const MAX_CHARACTERS = 2_000_000;

/** Tries code on stored events. Nothing is kept, and nothing is sent. */
@Injectable()
export class TransformationTrials {
  private underWay = 0;

  constructor(
    private readonly database: Database,
    private readonly sandbox: TrialSandbox,
    private readonly config: Config,
  ) {}

  /** @throws InvalidRequestError for a code that cannot be loaded or a filter that is not valid, TrialsBusyError */
  async test({ code, last = MAX_TRIED, filter }: TestTransformationDto): Promise<TransformationTrialDto> {
    const parsed = await readFilter(filter, this.database);
    if (this.underWay >= MAX_TRIALS) throw new TrialsBusyError();
    this.underWay += 1;
    try {
      const failure = await this.sandbox.check(code);
      if (failure !== undefined) throw new InvalidRequestError([codeProblem(failure)]);
      const { considered, events } = await this.newestEvents(last, parsed);
      return { considered, ...(await this.tryOn(events, codeOf(code))) };
    } finally {
      this.underWay -= 1;
    }
  }

  private async newestEvents(
    last: number,
    filter: ParsedFilter | undefined,
  ): Promise<{ considered: number; events: CustomerEvent[] }> {
    const judged = await judgeNewestEvents(
      {
        last: filter === undefined ? last : MAX_CONSIDERED,
        passing: { sources: undefined, filter },
        retentionDays: this.config.events.retentionDays,
      },
      this.database,
    );
    const passing = judged.filter(({ passes }) => passes).map(({ event }) => event);
    return { considered: judged.length, events: passing.slice(0, last) };
  }

  private async tryOn(
    events: readonly CustomerEvent[],
    code: SandboxedCode,
  ): Promise<Pick<TransformationTrialDto, 'complete' | 'events'>> {
    const untilMs = performance.now() + MAX_TRIAL_MS;
    const tried: TriedEventDto[] = [];
    let characters = 0;
    for (const event of events) {
      if (performance.now() > untilMs) break;
      const payload = payloadOf(event) as string;
      const context = (): Promise<string> => contextOfPerson(event.subject, this.database);
      const result = await transformEvent(this.sandbox, code, payload, { context });
      const texts = 'events' in result ? result.events : [];
      characters += payload.length + texts.reduce((sum, { length }) => sum + length, 0);
      if (characters > MAX_CHARACTERS && tried.length > 0) break;
      const before = parseExactly(payload) as JsonObject;
      const after = texts.map((text) => compared(before, text));
      const error = 'failure' in result ? { error: result.failure } : {};
      tried.push({ ...headOf(event), before, after, ...error });
    }
    return { complete: tried.length === events.length, events: tried };
  }
}

function compared(before: JsonObject, text: string): TriedEventDto['after'][number] {
  const event = parseExactly(text) as JsonObject;
  return { event, changes: diffJson(before, event) };
}

function codeOf(text: string): SandboxedCode {
  return { id: `trial ${createHash('sha256').update(text).digest('hex')}`, text };
}
