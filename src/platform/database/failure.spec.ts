import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import {
  constraintOf,
  failureOf,
  isCancelled,
  isForbidden,
  isMissingPartition,
  isUniqueViolation,
  LostRaceError,
  mayPass,
  refusesText,
  refusesValues,
} from './failure';

const withCode = (code: string, more: object = {}): Error =>
  Object.assign(new Error('what PostgreSQL says'), { code, ...more });

describe('failureOf', () => {
  it.each([
    ['a prepared statement that is gone', '26000', 'outage'],
    ['a prepared statement of somebody else', '42P05', 'outage'],
    ['a serialization failure', '40001', 'race'],
    ['a deadlock', '40P01', 'race'],
    ['a lock that was not had in time', '55P03', 'lock_timeout'],
    ['a connection that failed', '08006', 'outage'],
    ['a transaction that may only read', '25006', 'outage'],
    ['a transaction that was idle for too long', '25P03', 'outage'],
    ['a password that is wrong', '28P01', 'outage'],
    ['a database that is not there', '3D000', 'outage'],
    ['a full disk', '53100', 'outage'],
    ['too many connections', '53300', 'outage'],
    ['a statement that was cancelled', '57014', 'outage'],
    ['a server that shuts down', '57P01', 'outage'],
    ['a server that starts', '57P03', 'outage'],
    ['an I/O error', '58030', 'outage'],
    ['a host that refuses', 'ECONNREFUSED', 'outage'],
    ['a host that hung up', 'ECONNRESET', 'outage'],
    ['a socket that is closed', 'EPIPE', 'outage'],
    ['a host that cannot be reached', 'EHOSTUNREACH', 'outage'],
    ['a name that cannot be resolved', 'EAI_AGAIN', 'outage'],
    ['a broken constraint', '23503', 'refused'],
    ['a character that cannot be stored', '22021', 'refused'],
    ['a row that is too large', '54000', 'refused'],
    ['a trigger that raises', 'P0001', 'refused'],
    ['a trigger that raises with a code of its own', 'ZZ001', 'refused'],
    ['a table that is not there', '42P01', 'refused'],
    ['a right that is missing', '42501', 'refused'],
    ['a transaction that has failed before', '25P02', 'refused'],
    ['an internal error', 'XX000', 'refused'],
    ['an error of the file system', 'EPERM', undefined],
    ['an error of Fastify', 'FST_ERR_CTP_BODY_TOO_LARGE', undefined],
  ])('calls %s (%s) %s', (_, code, failure) => {
    expect(failureOf(withCode(code))).toBe(failure);
    expect(mayPass(withCode(code))).toBe(failure !== undefined && failure !== 'refused');
    // As TypeORM passes it on.
    expect(failureOf(new QueryFailedError('select', [], withCode(code)))).toBe(failure);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('calls "%s" an outage, though node-postgres gives it no code', (message) => {
    expect(failureOf(new Error(message))).toBe('outage');
  });

  it('calls it an outage that the coordinator of a Citus was killed, which is an internal error there', () => {
    const error = Object.assign(new Error('postmaster was shut down, exiting'), { code: 'XX000' });
    expect(failureOf(error)).toBe('outage');
    expect(failureOf(new QueryFailedError('select', [], error))).toBe('outage');
  });

  it('calls a transaction of TypeORM that lost its connection an outage', () => {
    expect(failureOf(new QueryRunnerAlreadyReleasedError())).toBe('outage');
  });

  it('looks into an error that stands for several', () => {
    expect(failureOf(new AggregateError([withCode('ENOENT'), withCode('ECONNREFUSED')]))).toBe('outage');
    expect(failureOf(new AggregateError([withCode('ENOENT')]))).toBeUndefined();
  });

  it('calls what a transaction found itself a race', () => {
    class OthersWereFasterError extends LostRaceError {}
    expect(failureOf(new OthersWereFasterError())).toBe('race');
  });

  it.each([[new TypeError('x is undefined')], ['57P01'], [undefined], [{ code: '57P01' }]])(
    'knows nothing of %p',
    (thrown) => expect(failureOf(thrown)).toBeUndefined(),
  );
});

describe('what exactly was refused', () => {
  it.each(['21000', '22003', '22P05', '23502', '54000'])('is the values: %s', (code) => {
    expect(refusesValues(withCode(code))).toBe(true);
  });

  it.each(['42P01', 'P0001', 'XX000', '53100', '40001', '55P03'])('is not the values: %s', (code) => {
    expect(refusesValues(withCode(code))).toBe(false);
  });

  it('is a partition that is missing, where a check has no name', () => {
    expect(isMissingPartition(withCode('23514'))).toBe(true);
    expect(refusesValues(withCode('23514'))).toBe(false);
    expect(isMissingPartition(withCode('23514', { constraint: 'price_positive' }))).toBe(false);
    expect(refusesValues(withCode('23514', { constraint: 'price_positive' }))).toBe(true);
  });

  it.each([
    [
      '23503',
      'insert or update on table "source_102049" violates foreign key constraint "source_plan_fk_102049"',
      'source_plan_fk',
    ],
    ['23514', 'new row for relation "event_102063" violates check constraint "event_polite"', 'event_polite'],
    ['23514', 'no partition of relation "message_id_102032" found for row', undefined],
  ])('is a constraint that a node of Citus names in its message: %s %s', (code, message, constraint) => {
    const error = Object.assign(new Error(message), { code });
    expect(constraintOf(error)).toBe(constraint);
    expect(isMissingPartition(error)).toBe(constraint === undefined);
  });

  it('is a text, a second row of the same key, or a right', () => {
    expect(['22021', '22P05', '22P02', '22003'].map((code) => refusesText(withCode(code)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(isUniqueViolation(withCode('23505'))).toBe(true);
    const copied = 'duplicate key value violates unique constraint "segment_member_pk_102046"';
    expect(isUniqueViolation(Object.assign(new Error(copied), { code: 'XX000' }))).toBe(true);
    expect(isUniqueViolation(withCode('XX000'))).toBe(false);
    expect(refusesValues(Object.assign(new Error(copied), { code: 'XX000' }))).toBe(false);
    expect(isForbidden(withCode('42501'))).toBe(true);
    expect(isCancelled(withCode('57014'))).toBe(true);
  });
});
