import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { ExactJson } from '../events/exact-json';
import type { RejectedProblem } from '../events/rejected/keep-rejected-events';
import { Config } from '../platform/config/config';
import { mayPass } from '../platform/database/failure';
import type { AuthenticatedSource } from '../sources/write-keys';
import { PlansInForce } from '../tracking-plans/judging/plans-in-force';
import { StoreUnavailableError } from './ingestion-problems';
import type { IntakeRequest } from './intake-request';
import { type CheckedEvents, checkEvents } from './parsing/check-events';
import { needsCleaning } from './parsing/clean-json';
import type { Judge } from './parsing/judge-event';
import { type Limits, limitsOf } from './parsing/limits';
import type { ParseContext } from './parsing/parse-event';
import { type Envelope, openBatch, openSingle } from './parsing/parse-request';
import { type Rejected, RejectionLog } from './rejection-log';
import { ViolationLog } from './violation-log';

/** What a request says, as text and as JSON. */
interface RequestBody {
  readonly text: string;
  readonly body: ExactJson;
}

/** What of a request its events depend on. */
export type CheckedRequest = Pick<
  IntakeRequest,
  'type' | 'strict' | 'defaults' | 'traceparent' | 'fromBrowser' | 'address' | 'receivedAtMs'
>;

/** Told of each event that may not be stored. */
type OnRejected = (rejected: Rejected, problems: readonly RejectedProblem[]) => void;

/** Checks the events of a request: each by itself, and by the tracking plan of its source. */
@Injectable()
export class EventChecks {
  private readonly limits: Limits;
  private readonly fillsIp: boolean;

  constructor(
    config: Config,
    private readonly plans: PlansInForce,
    private readonly rejections: RejectionLog,
    private readonly violations: ViolationLog,
  ) {
    this.limits = limitsOf(config);
    this.fillsIp = config.intake.fillsIp;
  }

  /**
   * Which events may be stored, and what is wrong with the others. All are judged by one version of the plan.
   * @param onRejected in place of noting them at once
   * @throws InvalidBodyError, TooManyEventsError, ContextTooLargeError, StoreUnavailableError when the plan is not
   * known and cannot be read
   */
  async check(
    { text, body }: RequestBody,
    source: AuthenticatedSource,
    request: CheckedRequest,
    onRejected: OnRejected = (rejected, problems) => this.rejections.note(rejected, problems),
  ): Promise<CheckedEvents> {
    const envelope = request.type === undefined ? openBatch(body.value, this.limits) : openSingle(body.value);
    const judge =
      source.trackingPlanId === null ? undefined : await this.judgeOf(source.trackingPlanId, body);
    return this.checkBy(judge, envelope, { text, source, request, onRejected });
  }

  private async judgeOf(planId: string, { mayKeepNumbers }: ExactJson): Promise<Judge | undefined> {
    const plan = await this.plans.find(planId).catch((error: unknown) => {
      throw mayPass(error) ? new StoreUnavailableError() : error;
    });
    return plan && { mayKeepNumbers, ...plan };
  }

  private checkBy(
    judge: Judge | undefined,
    { events, sentAt, context }: Envelope,
    given: {
      readonly text: string;
      readonly source: AuthenticatedSource;
      readonly request: CheckedRequest;
      readonly onRejected: OnRejected;
    },
  ): CheckedEvents {
    const { text, source, request, onRejected } = given;
    const { type, strict, defaults, traceparent, fromBrowser, address, receivedAtMs } = request;
    const parseContext: ParseContext = {
      receivedAtMs,
      receivedAt: new Date(receivedAtMs).toISOString(),
      sentAt,
      context,
      ip: fromBrowser && this.fillsIp && address !== undefined ? withoutMapping(address) : undefined,
      type,
      newMessageId: type === undefined && !defaults ? undefined : uuidv7,
      needsCleaning: needsCleaning(text),
      limits: this.limits,
      judge,
      isStrict: strict,
    };
    return checkEvents(events, parseContext, {
      sourceId: source.id,
      traceparent,
      isBatch: type === undefined,
      onRejected: (sent, { messageId, problems }) =>
        onRejected({ sourceId: source.id, sent, context, messageId, type }, problems),
      onViolations: (violations, outcome, eventId) => {
        if (judge === undefined) return;
        const { id: planId, version } = judge;
        this.violations.note(violations, { planId, version, sourceId: source.id, outcome, eventId });
      },
    });
  }
}

/** An address of IPv4, which a socket of IPv6 shows as `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
