import { Injectable } from '@nestjs/common';
import { isJsonObject } from '../../events/customer-event';
import { readExactly, stringifyExactly } from '../../events/exact-json';
import type { AboutPeople } from '../../events/subject';
import type { RejectedProblem } from '../../events/rejected/keep-rejected-events';
import { timeOfId } from '../../events/partitions/partition-plan';
import { type CheckedRequest, EventChecks } from '../../ingestion/event-checks';
import type { CheckedEvents } from '../../ingestion/parsing/check-events';
import { RejectionLog } from '../../ingestion/rejection-log';
import { ownersSent, subjectsSent } from '../../ingestion/parsing/subjects-sent';
import { Problem } from '../../platform/http/problems/problem';
import { type WebhookSource, WebhookSources } from '../../sources/webhook-sources';
import { failureText } from '../../transformations/transform-event';
import type { HookFailure, HookRequest } from '../requests/hook-leases';
import { HookTransformations } from './hook-transformations';
import { completeEvents } from './complete-events';

/** Leases that have run out: their workers were killed, or could not do what they had to. */
const MAX_LEASES = 5;

const NO_TRANSFORMATION = 'Nobody has said yet what events are made of the requests of this source.';

const AS_BATCH: Omit<CheckedRequest, 'receivedAtMs'> = {
  type: undefined,
  strict: false,
  defaults: false,
  traceparent: undefined,
  fromBrowser: false,
  address: undefined,
};

/** What has been rejected of a request, and whom it names. `id` is of the request. */
export interface RejectionNote extends AboutPeople {
  /** Once it is sure that the request fails. */
  writeDown(): void;
}

/** What a request has come to, before anything of it is stored. */
export type HookOutcome =
  | {
      readonly request: HookRequest;
      readonly source: WebhookSource;
      readonly failure?: undefined;
      readonly checked: CheckedEvents;
    }
  | {
      readonly request: HookRequest;
      /** Undefined once it is deleted. */
      readonly source: WebhookSource | undefined;
      readonly failure: HookFailure;
      readonly notes: readonly RejectionNote[];
      /** Where it is some of its events that are wrong. */
      readonly checked?: CheckedEvents;
    };

export type MadeEvents = Extract<HookOutcome, { failure?: undefined }>;
export type FailedHook = Exclude<HookOutcome, MadeEvents>;

/** Makes events of requests, and checks them as all others are. */
@Injectable()
export class HookEvents {
  constructor(
    private readonly sources: WebhookSources,
    private readonly transformations: HookTransformations,
    private readonly checks: EventChecks,
    private readonly rejections: RejectionLog,
  ) {}

  /** @throws when something is away that it needs, not for what the request or the transformation is like */
  async of(request: HookRequest): Promise<HookOutcome> {
    const source = await this.sources.find(request.sourceId);
    const fail = (code: string, message: string): HookOutcome =>
      this.failed(request, source, failureOf([{ code, path: '', message }], []));
    if (source === undefined) return fail('source_deleted', 'The source was deleted.');
    if (request.lease > MAX_LEASES) {
      return fail(
        'processing_failed',
        `${MAX_LEASES} workers ended, or failed, while they were at this request.`,
      );
    }
    const transformed = await this.transformations.run(source, request.request);
    if (transformed === undefined) return fail('no_transformation', NO_TRANSFORMATION);
    if ('failure' in transformed) return fail('transformation_failed', failureText(transformed.failure));
    return this.check(request, source, completeEvents(request, transformed.events));
  }

  /** What has come of events that the store refuses. */
  notStorable({ request, source, checked }: MadeEvents): FailedHook {
    const made = [...checked.valid, ...checked.quarantined.map(({ event }) => event)];
    const events = made.map(({ payload }): unknown => JSON.parse(payload.toString()));
    const code = 'event_not_storable';
    const message = 'The store refused its events. Please report it.';
    return this.failed(request, source, failureOf([{ code, path: '', message }], events));
  }

  /** All of them are stored, or none: who mends the transformation has the whole request before him. */
  private async check(
    request: HookRequest,
    source: WebhookSource,
    events: readonly unknown[],
  ): Promise<HookOutcome> {
    const text = stringifyExactly({ batch: events });
    const notes: RejectionNote[] = [];
    try {
      const sender = { ...source, kind: 'webhook' } as const;
      const body = { text, body: readExactly(text) };
      const asSent = { ...AS_BATCH, receivedAtMs: timeOfId(request.id) };
      const checked = await this.checks.check(body, sender, asSent, (rejected, problems) =>
        notes.push({
          id: request.id,
          ...peopleIn([rejected.sent]),
          writeDown: this.rejections.prepare(rejected, problems),
        }),
      );
      if (checked.rejected.length === 0) return { request, source, checked };
      const problems = checked.rejected.flatMap((rejection) => rejection.problems.map(problemOf));
      return { request, source, failure: failureOf(problems, events), notes, checked };
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const problems = [{ code: error.code, path: '', message: error.message }];
      return this.failed(request, source, failureOf(problems, events));
    }
  }

  /**
   * Of a request of which no events were looked at, it is noted which it is: what it says is in it, and goes with it.
   */
  private failed(request: HookRequest, source: WebhookSource | undefined, failure: HookFailure): FailedHook {
    if (source === undefined) return { request, source, failure, notes: [] };
    const sent = { hookRequestId: request.id };
    const messageId = request.sentId ?? undefined;
    const rejected = { sourceId: source.id, sent, context: undefined, messageId, type: undefined };
    const writeDown = this.rejections.prepare(rejected, failure.problems);
    return { request, source, failure, notes: [{ id: request.id, ...peopleIn([]), writeDown }] };
  }
}

/** Of so many at most it is told what is wrong. */
const MAX_PROBLEMS = 20;

function failureOf(problems: readonly RejectedProblem[], events: readonly unknown[]): HookFailure {
  return {
    code: problems[0]?.code ?? 'event_not_storable',
    problems: problems.slice(0, MAX_PROBLEMS),
    ...peopleIn(events),
  };
}

function peopleIn(events: readonly unknown[]): Pick<HookFailure, 'subjects' | 'owners'> {
  const sent = events.filter(isJsonObject);
  return {
    subjects: [...new Set(sent.flatMap(subjectsSent))],
    owners: [...new Set(sent.flatMap(ownersSent))],
  };
}

/** Places are those in what the transformation returned. */
function problemOf({ code, path, message, rule }: RejectedProblem): RejectedProblem {
  return { code, path: path.replace(/^batch/, ''), message, ...(rule === undefined ? {} : { rule }) };
}
