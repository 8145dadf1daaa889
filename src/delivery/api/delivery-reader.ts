import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isUUID } from 'class-validator';
import {
  And,
  type FindOperator,
  type FindOptionsWhere,
  LessThan,
  MoreThan,
  MoreThanOrEqual,
  Raw,
  Repository,
} from 'typeorm';
import { DAY_MS, HIGHEST_ID, lowestId, timeOfId } from '../../events/partitions/partition-plan';
import { readEventNames } from '../../events/reading/read-event-names';
import { userSubject } from '../../events/subject';
import { Database, type Tx } from '../../platform/database/database';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { madeStatement } from '../../platform/database/statements/made-statement';
import { unplannedId } from '../../platform/database/statements/unplanned';
import { ReplicaDatabase } from '../../platform/database/replica-database';
import { within } from '../../platform/database/transactions/within';
import { Delivery, type DeliveryState } from '../ledger/delivery.entity';
import { ofPerson } from '../ledger/of-people';
import { DeliveryAttempt } from '../ledger/delivery-attempt.entity';
import { DeliveryNotFoundError } from './delivery-problems';
import { DeliveryAttemptDto, DeliveryDto, type DeliveryWithAttemptsDto } from './dto/delivery.dto';
import { Waits } from './what-it-waits-for';

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

/** How far back to look first, and then: most pages are full by then. The last look is at all there is. */
const LOOKS_MS = [DAY_MS, 10 * DAY_MS];

/**
 * Of a person, in all partitions: with months of them, planning takes longer than running. How many there are of anything
 * else decides how they are looked for.
 */
const ofPersonStatement = madeStatement('list_deliveries');

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
    const { fromId, toId } = rangeOf(filter);
    const newestMs = Math.min(timeOfId(toId), databaseNowMs());
    const begins = LOOKS_MS.map((ms) => lowestId(newestMs - ms)).filter((id) => id > fromId);
    return this.replica.read(async (connection) => {
      const deliveries = within(connection, this.deliveries);
      const found: Delivery[] = [];
      const look = async (by: Repository<Delivery>, id: FindOperator<string>): Promise<boolean> => {
        const where = { ...conditionsOf(filter), id };
        // Always as many, so that it is one statement.
        const some = await by.find({ where, order: { id: 'desc' }, take: limit });
        found.push(...some.slice(0, limit - found.length));
        return found.length === limit;
      };
      let endId = toId;
      for (const beginId of begins) {
        if (await look(deliveries, inRange(beginId, endId))) return toDtos(found, connection);
        endId = beginId;
      }
      if (filter.userId === undefined) await look(deliveries, inRange(fromId, endId));
      else
        await look(within(connection, this.deliveries, ofPersonStatement), inUnplannedRange(fromId, endId));
      return toDtos(found, connection);
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
      // Tries come after their delivery, and not after it has changed for the last time: other partitions are left out.
      within(this.database, this.attempts).find({
        where: { deliveryId, id: And(MoreThan(deliveryId), LessThan(lowestId(endOfTries(delivery)))) },
        order: { id: 'asc' },
      }),
    ]);
    return Object.assign(dto as DeliveryDto, wait, {
      tries: tries.map((each) => DeliveryAttemptDto.from(each)),
    });
  }
}

/** Try and delivery are written together, by the clocks of two machines. */
function endOfTries({ updatedAt }: Delivery): number {
  return updatedAt.getTime() + DAY_MS;
}

/** Of ids: from inclusive, to exclusive. */
function rangeOf({ from, to, cursor }: DeliveryFilter): { fromId: string; toId: string } {
  const end = to === undefined ? HIGHEST_ID : lowestId(Date.parse(to));
  return {
    fromId: lowestId(from === undefined ? 0 : Date.parse(from)),
    toId: cursor !== undefined && cursor < end ? cursor : end,
  };
}

/** Of ids, from inclusive, to exclusive. */
function inRange(fromId: string, toId: string): FindOperator<string> {
  return And(MoreThanOrEqual(fromId), LessThan(toId));
}

/** The same, with a plan that is good for all others. */
function inUnplannedRange(fromId: string, toId: string): FindOperator<string> {
  const [from, to] = [unplannedId(':fromId'), unplannedId(':toId')];
  return Raw((column) => `${column} >= ${from} and ${column} < ${to}`, { fromId, toId });
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
