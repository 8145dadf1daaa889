import { Injectable } from '@nestjs/common';
import { forgetNewlyDead, type NewlyDead, takeNewlyDead } from '../delivery/dead-letters/newly-dead';
import { type DeadLetter, readDeadLetters } from '../delivery/ledger/dead-letters/read-dead-letters';
import type { ServiceFact } from '../delivery/new-notices';
import { readDestinationNames } from '../destinations/read-destination-names';
import type { JsonObject } from '../events/customer-event';
import type { Tx } from '../platform/database/database';
import type { Findings, Look, Told } from './look';

/**
 * A destination whose dead letters were told of is left alone for this long; what it gives up meanwhile is told then.
 */
const QUIET_MS = 60 * 60_000;

/** Tells how many deliveries were given up, with one of them. */
@Injectable()
export class DeadLetterLook implements Look {
  readonly name = 'dead_letters';
  readonly kinds = ['dead_letters'] as const;
  readonly everyMs = 5_000;

  async look(told: ReadonlyMap<string, Told>, tx: Tx): Promise<Findings> {
    const toldAt = new Map([...told].map(([id, { at }]) => [id, at]));
    const died = await takeNewlyDead(toldAt, QUIET_MS, tx);
    const names = await readDestinationNames([...told.keys(), ...died.map((one) => one.destinationId)], tx);
    const samples = await readDeadLetters(
      died.map(({ newestId }) => newestId),
      tx,
    );
    const facts = died.flatMap((one) => {
      const name = names.get(one.destinationId);
      const sample = samples.find(({ deliveryId }) => deliveryId === one.newestId);
      return name === undefined ? [] : [factOf(one, name, sample)];
    });
    const gone = [...told.keys()].filter((id) => !names.has(id));
    return {
      told: new Map([
        ...gone.map((id) => [id, undefined] as const),
        ...facts.flatMap(({ about }) => (about === undefined ? [] : [[about, 'told'] as const])),
      ]),
      facts,
    };
  }

  forget(tx: Tx): Promise<void> {
    return forgetNewlyDead(tx);
  }
}

/** @param sample undefined when it is no dead letter any more */
function factOf(
  { destinationId, count, since }: NewlyDead,
  name: string,
  sample: DeadLetter | undefined,
): ServiceFact {
  const deliveries = count === 1 ? '1 delivery' : `${count} deliveries`;
  const example = sample === undefined ? '' : `, for example because of ${lastErrorOf(sample)}`;
  return {
    kind: 'dead_letters',
    text: `${deliveries} to "${name}" dead since ${since.toISOString()}${example}.`,
    properties: {
      destinationId,
      destinationName: name,
      since: since.toISOString(),
      count,
      lastError: sample?.reason ?? null,
      sample: sample === undefined ? null : sampleOf(sample),
    },
    about: destinationId,
  };
}

function lastErrorOf({ reason, status }: DeadLetter): string {
  return status === null ? reason : `${reason}, status ${status}`;
}

function sampleOf({
  deliveryId,
  eventType,
  eventName,
  attempts,
  reason,
  status,
  givenUpAt,
}: DeadLetter): JsonObject {
  return { deliveryId, eventType, eventName, attempts, reason, status, givenUpAt: givenUpAt.toISOString() };
}
