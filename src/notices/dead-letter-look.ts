import { Injectable } from '@nestjs/common';
import {
  type DeadLetter,
  findNewlyDead,
  type NewlyDead,
  readDeadLetters,
} from '../delivery/ledger/read-dead-letters';
import type { ServiceFact } from '../delivery/notices';
import { readDestinationNames } from '../destinations/read-destination-names';
import type { Tx } from '../platform/database/database';
import type { Findings, Look, Told } from './look';

/** A destination whose dead letters were told of is left alone for this long; what it gives up meanwhile is told then. */
const QUIET_MS = 60 * 60_000;

/** Tells how many deliveries were given up, with one of them. */
@Injectable()
export class DeadLetterLook implements Look {
  readonly name = 'dead_letters';
  readonly kinds = ['dead_letters'] as const;
  readonly everyMs = 5_000;

  async look(told: ReadonlyMap<string, Told>, tx: Tx): Promise<Findings> {
    const toldAt = new Map([...told].map(([id, { at }]) => [id, at]));
    const died = await findNewlyDead(toldAt, QUIET_MS, tx);
    const names = await readDestinationNames([...told.keys(), ...died.map((one) => one.destinationId)], tx);
    const samples = await readDeadLetters(
      died.map(({ newestId }) => newestId),
      tx,
    );
    const facts = died.flatMap((one) => {
      const name = names.get(one.destinationId);
      const sample = samples.find(({ deliveryId }) => deliveryId === one.newestId);
      return name === undefined || sample === undefined ? [] : [factOf(one, name, sample)];
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
}

function factOf({ destinationId, count, since }: NewlyDead, name: string, sample: DeadLetter): ServiceFact {
  const { deliveryId, eventType, eventName, attempts, reason, status, givenUpAt } = sample;
  const deliveries = count === 1 ? '1 delivery' : `${count} deliveries`;
  const last = status === null ? reason : `${reason}, status ${status}`;
  return {
    kind: 'dead_letters',
    text: `${deliveries} to "${name}" given up since ${since.toISOString()}, for example because of ${last}.`,
    properties: {
      destinationId,
      destinationName: name,
      since: since.toISOString(),
      count,
      lastError: reason,
      sample: {
        deliveryId,
        eventType,
        eventName,
        attempts,
        reason,
        status,
        givenUpAt: givenUpAt.toISOString(),
      },
    },
    about: destinationId,
  };
}
