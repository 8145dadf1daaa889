import { Injectable } from '@nestjs/common';
import { isJsonObject } from '../../events/customer-event';
import { readExactly, stringifyExactly } from '../../events/exact-json';
import type { RejectedProblem } from '../../events/rejected/keep-rejected-events';
import { subjectsNamedIn } from '../../events/subject';
import { type CheckedRequest, EventChecks } from '../../ingestion/event-checks';
import type { CheckedEvents } from '../../ingestion/parsing/check-events';
import { Problem } from '../../platform/http/problems/problem';
import { type WebhookSource, WebhookSources } from '../../sources/webhook-sources';
import { failureText } from '../../transformations/transform-event';
import type { HookFailure, HookRequest } from '../requests/hook-turns';
import { HookTransformations } from './hook-transformations';
import { makeEvents } from './make-events';

/** Turns that did not end: their workers were killed, or could not do what they had to. */
const MAX_TURNS = 5;

const NO_TRANSFORMATION = 'Nobody has said yet what events are made of the requests of this source.';

const AS_BATCH: CheckedRequest = {
  type: undefined,
  strict: false,
  defaults: false,
  traceparent: undefined,
  fromBrowser: false,
  address: undefined,
};

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
      /** Whether its events were looked at: what is wrong with them is noted then. */
      readonly noted: boolean;
    };

/** Makes events of requests, and checks them as all others are. */
@Injectable()
export class HookEvents {
  constructor(
    private readonly sources: WebhookSources,
    private readonly transformations: HookTransformations,
    private readonly checks: EventChecks,
  ) {}

  /** @throws when something is away that it needs, not for what the request or the transformation is like */
  async of(request: HookRequest): Promise<HookOutcome> {
    const source = await this.sources.find(request.sourceId);
    const fail = (code: string, message: string): HookOutcome => {
      const failure = { code, problems: [{ code, path: '', message }], subjects: [] };
      return { request, source, failure, noted: false };
    };
    if (source === undefined) return fail('source_deleted', 'The source was deleted.');
    if (request.turns > MAX_TURNS) {
      return fail('processing_failed', `${MAX_TURNS} workers ended while they were at this request.`);
    }
    const transformed = await this.transformations.run(source, request.request);
    if (transformed === undefined) return fail('no_transformation', NO_TRANSFORMATION);
    if ('failure' in transformed) return fail('transformation_failed', failureText(transformed.failure));
    return this.check(request, source, makeEvents(request, transformed.events));
  }

  /** All of them are stored, or none: who mends the transformation has the whole request before him. */
  private async check(
    request: HookRequest,
    source: WebhookSource,
    events: readonly unknown[],
  ): Promise<HookOutcome> {
    const text = stringifyExactly({ batch: events });
    try {
      const sender = { ...source, kind: 'webhook' } as const;
      const checked = await this.checks.check({ text, body: readExactly(text) }, sender, AS_BATCH);
      if (checked.rejected.length === 0) return { request, source, checked };
      const problems = checked.rejected.flatMap((rejection) => rejection.problems.map(problemOf));
      return { request, source, failure: failureOf(problems, events), noted: true };
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const problems = [{ code: error.code, path: '', message: error.message }];
      return { request, source, failure: failureOf(problems, events), noted: false };
    }
  }
}

/** Of so many at most it is told what is wrong. */
const MAX_PROBLEMS = 20;

function failureOf(problems: readonly RejectedProblem[], events: readonly unknown[]): HookFailure {
  const subjects = new Set(events.filter(isJsonObject).flatMap(subjectsNamedIn));
  return {
    code: problems[0]?.code ?? 'event_not_storable',
    problems: problems.slice(0, MAX_PROBLEMS),
    subjects: [...subjects].map(storable),
  };
}

/** As PostgreSQL can store it, and an index hold it. */
function storable<S extends string>(subject: S): S {
  return subject.slice(0, 1_024).replaceAll('\0', '').toWellFormed() as S;
}

/** Places are those in what the transformation returned. */
function problemOf({ code, path, message, rule }: RejectedProblem): RejectedProblem {
  return { code, path: path.replace(/^batch/, ''), message, ...(rule === undefined ? {} : { rule }) };
}
