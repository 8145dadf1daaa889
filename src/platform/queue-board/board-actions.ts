import type { FastifyRequest } from 'fastify';
import type { AuditLog, Change } from '../audit/audit-log';
import type { AuditedAction } from '../audit/audited-actions';
import { actorOf, type Identity } from '../auth/principal';
import type { Database } from '../database/database';
import { Problem } from '../http/problems/problem';
import { QUEUE_NAMES } from '../queues/job';

/** The board offers it, the service does not: jobs are made from rows of PostgreSQL only. */
const OFF = Symbol('off');

/**
 * What the routes of Bull Board that write are called in the audit, or that they are off. One that is not here is
 * off as well.
 */
export const BOARD_ACTIONS: Readonly<Record<string, AuditedAction<'queue'> | typeof OFF>> = {
  'PUT /api/queues/pause': 'pause_all',
  'PUT /api/queues/resume': 'resume_all',
  'PUT /api/queues/:queueName/pause': 'pause',
  'PUT /api/queues/:queueName/resume': 'resume',
  'PUT /api/queues/:queueName/empty': 'empty',
  'PUT /api/queues/:queueName/obliterate': 'obliterate',
  'PUT /api/queues/:queueName/retry/:queueStatus': 'retry_jobs',
  'PUT /api/queues/:queueName/promote': 'promote_jobs',
  'PUT /api/queues/:queueName/clean/:queueStatus': 'remove_jobs',
  'PUT /api/queues/:queueName/concurrency': 'set_concurrency',
  'PUT /api/queues/:queueName/rate-limit': 'set_rate_limit',
  'PUT /api/queues/:queueName/rate-limit/release': 'release_rate_limit',
  'PUT /api/queues/:queueName/:jobId/retry': 'retry_job',
  'PUT /api/queues/:queueName/:jobId/clean': 'remove_job',
  'PUT /api/queues/:queueName/:jobId/promote': 'promote_job',
  'PUT /api/queues/:queueName/:jobId/remove-unprocessed-children': 'remove_children',
  'PATCH /api/queues/:queueName/:jobId/delay': 'set_delay',
  'PATCH /api/queues/:queueName/:jobId/priority': 'set_priority',
  'POST /api/queues/:queueName/add': OFF,
  'PATCH /api/queues/:queueName/:jobId/update-data': OFF,
  'PUT /api/queues/:queueName/job-schedulers/:schedulerId/run': OFF,
  'PUT /api/queues/:queueName/job-schedulers/:schedulerId/remove': OFF,
  'PATCH /api/queues/:queueName/job-schedulers/:schedulerId': OFF,
  'POST /api/metrics/history/purge': OFF,
};

/** More than any route takes. */
const MAX_SETTINGS = 5;
/** In the audit: an action on every queue. */
const ALL_QUEUES = 'all';

/** The caller may use the board, but not for this. */
class BoardActionOffError extends Problem {
  readonly status = 403;
  readonly code = 'board_action_off';
  /** The title of the board's notice. */
  override readonly extensions = { error: 'Not available' };

  constructor() {
    super('Jobs can be watched, retried, moved and removed here, not added or edited.');
  }
}

/**
 * Lets a request to the board pass when it reads, and when it does what is on; that leaves an entry in the audit
 * first, so that nothing is done without one. An entry may so stand for something that then failed.
 */
export class BoardActions {
  constructor(
    private readonly audit: AuditLog,
    private readonly database: Database,
    private readonly boardPath: string,
  ) {}

  /** @throws BoardActionOffError, or what PostgreSQL says when the entry cannot be written. */
  async admit(request: FastifyRequest, identity: Identity): Promise<void> {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const route = request.routeOptions.url?.slice(this.boardPath.length);
    const action = BOARD_ACTIONS[`${request.method} ${route}`];
    if (typeof action !== 'string') throw new BoardActionOffError();
    const change = changeOf(action, request);
    if (change !== undefined) await this.audit.record(this.database, actorOf(identity, request.id), change);
  }
}

/** @returns undefined for a queue that does not exist: the board answers 404. */
function changeOf(action: AuditedAction<'queue'>, request: FastifyRequest): Change | undefined {
  const { queueName = ALL_QUEUES, ...which } = request.params as Readonly<Record<string, string>>;
  if (queueName !== ALL_QUEUES && !QUEUE_NAMES.some((name) => name === queueName)) return undefined;
  return {
    action,
    resource: 'queue',
    resourceId: queueName,
    after: { ...which, ...settingsOf(request.body) },
  };
}

/** The numbers of a body, such as a limit or a priority. These routes use nothing else of a body. */
function settingsOf(body: unknown): Record<string, number> {
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const numbers = members.filter((member): member is [string, number] => typeof member[1] === 'number');
  return Object.fromEntries(numbers.slice(0, MAX_SETTINGS));
}
