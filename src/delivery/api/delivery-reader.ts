import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import { And, type FindOptionsWhere, LessThan, MoreThan, MoreThanOrEqual, Raw, Repository } from 'typeorm';
import { DAY_MS, HIGHEST_ID, lowestId, timeOfId } from '../../events/partitions/partition-plan';
import { readEventNames } from '../../events/reading/read-event-names';
import { userSubject } from '../../events/subject';
import { type Connection, Database, type Tx } from '../../platform/database/database';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { madeStatement, type StatementOf } from '../../platform/database/statements/made-statement';
import { unplannedId } from '../../platform/database/statements/unplanned';
import { ReplicaDatabase } from '../../platform/database/replica-database';
import { within } from '../../platform/database/transactions/within';
import { Delivery, type DeliveryState } from '../ledger/delivery.entity';
import { ofPerson } from '../ledger/of-people';
import { readLastAnswers } from '../ledger/dead-letters/read-last-answers';
import { DeliveryAttempt } from '../ledger/delivery-attempt.entity';
import { endOfTries } from '../ledger/end-of-tries';
import { DeliveryNotFoundError } from './delivery-problems';
import { type DeadLetterDto, DeliveryDto, type DeliveryWithAttemptsDto } from './dto/delivery.dto';
import { DeliveryAttemptDto } from './dto/delivery-attempt.dto';
import { Waits } from '../stats/waits';

/** What to list, newest first. */
export interface DeliveryFilter {
  readonly destinationId?: string;
  readonly state?: DeliveryState;
  readonly type?: string;
  readonly userId?: string;
  readonly reason?: string;
  readonly from?: string;
  readonly to?: string;
  /** Ids below this one. */
  readonly cursor?: string;
}

/** What is said of ids, and what with them. */
type Range = Pick<FindOptionsWhere<Delivery>, 'id' | 'errorClass' | 'state'>;

/** How far back to look first, and then: most pages are full by then. The last look is at all there is. */
const LOOKS_MS = [DAY_MS, 10 * DAY_MS];

/**
 * Of a person, and dead letters of a reason, in all partitions: with months of them, planning takes longer than
 * running. How many there are of anything else decides how they are looked for.
 */
const listStatement = madeStatement('list_deliveries');
const keptStatement: StatementOf = (text) => ({ ...listStatement(text), plannedOnce: true });

/** Reads the ledger for people. */
@Injectable()
export class DeliveryReader {
  constructor(
    @InjectRepository(Delivery) private readonly deliveries: Repository<Delivery>,
    @InjectRepository(DeliveryAttempt) private readonly attempts: Repository<DeliveryAttempt>,
    private readonly database: Database,
    private readonly replica: ReplicaDatabase,
    private readonly waits: Waits,
  ) {}

  /** At most `limit` deliveries, newest first. What is new is looked for first, without a look at old partitions. */
  find(filter: DeliveryFilter, limit: number): Promise<DeliveryDto[]> {
    return this.replica.read((connection) => this.findIn(filter, limit, connection));
  }

  /** The same of dead letters, with what came of their last tries. */
  findDead(filter: Omit<DeliveryFilter, 'state'>, limit: number): Promise<DeadLetterDto[]> {
    return this.replica.read(async (connection) => {
      const dead = await this.findIn({ ...filter, state: 'dead' }, limit, connection);
      const answers = await readLastAnswers(dead, connection);
      return dead.map((delivery, index) => Object.assign(delivery, answers[index]));
    });
  }

  /** @throws DeliveryNotFoundError */
  async findOne(deliveryId: string): Promise<DeliveryWithAttemptsDto> {
    const delivery = isUUID(deliveryId)
      ? await within(this.database, this.deliveries).findOneBy({ id: deliveryId })
      : null;
    if (delivery === null) throw new DeliveryNotFoundError(deliveryId);
    const [[dto], wait, tries] = await Promise.all([
      toDtos([delivery], this.database),
      this.waits.of(delivery),
      // Tries have ids between these two: other partitions are left out.
      within(this.database, this.attempts).find({
        where: { deliveryId, id: And(MoreThan(deliveryId), LessThan(endOfTries(delivery))) },
        order: { id: 'asc' },
      }),
    ]);
    return Object.assign(dto as DeliveryDto, wait, {
      tries: tries.map((each) => DeliveryAttemptDto.from(each)),
    });
  }

  private async findIn(
    filter: DeliveryFilter,
    limit: number,
    connection: Connection,
  ): Promise<DeliveryDto[]> {
    const { fromId, toId } = rangeOf(filter);
    const newestMs = Math.min(timeOfId(toId), databaseNowMs());
    const begins = LOOKS_MS.map((ms) => lowestId(newestMs - ms)).filter((id) => id > fromId);
    const looks = [...begins.slice(0, keptAfter(filter)), fromId];
    const planned = within(connection, this.deliveries);
    const kept = within(connection, this.deliveries, keptStatement);
    const found: Delivery[] = [];
    let endId = toId;
    for (const [index, beginId] of looks.entries()) {
      const isKept = index >= keptAfter(filter);
      const range = isKept ? inUnplannedRange(filter, beginId, endId) : inRange(beginId, endId);
      const where: FindOptionsWhere<Delivery> = { ...conditionsOf(filter), ...range };
      // Always as many, so that it is one statement.
      const some = await (isKept ? kept : planned).find({ where, order: { id: 'desc' }, take: limit });
      found.push(...some.slice(0, limit - found.length));
      if (found.length === limit) break;
      endId = beginId;
    }
    return toDtos(found, connection);
  }
}

/** Of ids: from inclusive, to exclusive. */
function rangeOf({ from, to, cursor }: DeliveryFilter): { fromId: string; toId: string } {
  const end = to === undefined ? HIGHEST_ID : lowestId(Date.parse(to));
  return {
    fromId: lowestId(from === undefined ? 0 : Date.parse(from)),
    toId: cursor !== undefined && cursor < end ? cursor : end,
  };
}

/** After how many looks one with a kept plan finds all the rest. */
function keptAfter(filter: DeliveryFilter): number {
  // A few looks into an index for each partition.
  if (isOfReason(filter)) return 0;
  // Of a person there may be so many today that it matters how they are looked for.
  return filter.userId === undefined ? Infinity : 1;
}

/** Dead letters of a reason, of whatever destination, for which there is an index. */
function isOfReason({ state, reason, destinationId, type }: DeliveryFilter): boolean {
  return state === 'dead' && reason !== undefined && destinationId === undefined && type === undefined;
}

/** Of ids, from inclusive, to exclusive. */
function inRange(fromId: string, toId: string): Range {
  return { id: And(MoreThanOrEqual(fromId), LessThan(toId)) };
}

/** The same, with a plan that is good for all others. */
function inUnplannedRange(filter: DeliveryFilter, fromId: string, toId: string): Range {
  const [from, to] = [unplannedId(':fromId'), unplannedId(':toId')];
  if (!isOfReason(filter))
    return { id: Raw((column) => `${column} >= ${from} and ${column} < ${to}`, { fromId, toId }) };
  // Said so that nothing but the index on both will do: a plan for any reason would walk through all dead letters.
  const errorClass = Raw(
    (column) =>
      `${column} = :reason and (${column}, id) >= (:reason, ${from}) and (${column}, id) < (:reason, ${to})`,
    { reason: filter.reason, fromId, toId },
  );
  return { errorClass, state: Raw((column) => `${column} = 'dead'`) };
}

function conditionsOf(filter: DeliveryFilter): FindOptionsWhere<Delivery> {
  const { destinationId, type, userId, reason, state } = filter;
  const where: FindOptionsWhere<Delivery> = {};
  if (destinationId !== undefined) where.destinationId = destinationId;
  if (type !== undefined) where.eventType = type;
  if (userId !== undefined)
    where.subject = Raw((column) => ofPerson(column, ':subject'), { subject: userSubject(userId) });
  if (reason !== undefined) where.errorClass = reason;
  if (state !== undefined) where.state = state;
  return where;
}

async function toDtos(deliveries: readonly Delivery[], tx: Tx): Promise<DeliveryDto[]> {
  const events = deliveries.map(({ subject, eventTimestamp: timestamp, eventId: id }) => ({
    subject,
    timestamp,
    id,
  }));
  const names = await readEventNames(events, tx);
  return deliveries.map((delivery) => DeliveryDto.from(delivery, names.get(delivery.eventId)));
}
