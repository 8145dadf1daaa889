import { Injectable } from '@nestjs/common';
import { OutcomeWriter } from '../ledger/recording/outcome-writer';
import { RateLimiter } from '../rate/rate-limiter';
import { MAX_JOB_DELIVERIES } from '../first-tries';
import { FairShare } from './fair-share';
import { ConcurrencyLimit } from '../../platform/background/concurrency-limit';

/** Bodies that the lanes of a process hold. Those that are being sent are there twice, as text and as bytes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** One event of the largest kind, or dozens of the usual one. */
const LEAST_BODY_BYTES = 32 * 1024;
/** Each has a connection, of some 25 KB. */
const MAX_TRIES = 4_000;
/** Ids that jobs brought and nobody has claimed, of some 100 bytes. One lane alone may have 22,000 of them. */
const MAX_WAITING = 200_000;
/** Claims of what jobs brought, which do not wait for those of backlogs: a hundred of them can begin in one moment. */
const JOB_CLAIMS = 6;
const BACKLOG_CLAIMS = 3;
/** How much one claim of smaller bodies changes what is expected of the next. */
const FORGETTING = 0.02;

/**
 * What the lanes of one process may have in hand together: ids that wait, bodies, tries, claims, and outcomes that are
 * not recorded. Hundreds of destinations that hang, each with as much as a lane may have, would be gigabytes; yet none
 * of them may take anything from the healthy ones. Each lane has its part of it, {@link LaneBudget}.
 */
@Injectable()
export class Budget {
  readonly waiting = new FairShare(MAX_WAITING, MAX_JOB_DELIVERIES);
  readonly bodies = new FairShare(MAX_BODY_BYTES, LEAST_BODY_BYTES);
  readonly tries = new FairShare(MAX_TRIES, 1);
  // How large bodies are is only known once they are claimed: so many claims can be mistaken at once, and no more.
  readonly jobClaims = new ConcurrencyLimit(JOB_CLAIMS);
  readonly backlogClaims = new ConcurrencyLimit(BACKLOG_CLAIMS);
  /** Of a body: large ones are expected at once, smaller ones little by little. */
  usualBytes = LEAST_BODY_BYTES;

  constructor(
    readonly limiter: RateLimiter,
    readonly writer: OutcomeWriter,
  ) {}

  /** Notes how large the bodies of a claim were, on average. */
  learn(bytes: number): void {
    this.usualBytes = Math.max(bytes, this.usualBytes + (bytes - this.usualBytes) * FORGETTING, 1);
  }
}
