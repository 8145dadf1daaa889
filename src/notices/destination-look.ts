import { Injectable } from '@nestjs/common';
import type { ServiceFact } from '../delivery/new-notices';
import { type DestinationState, DestinationStates } from '../delivery/stats/destination-states';
import type { Health } from '../delivery/stats/health-of';
import type { Tx } from '../platform/database/database';
import type { Findings, Look, Told } from './look';

/** Tells when the health of a destination changes, as its statistics show it. */
@Injectable()
export class DestinationLook implements Look {
  readonly name = 'destinations';
  readonly kinds = ['destination_degraded', 'destination_disabled', 'destination_recovered'] as const;
  readonly everyMs = 2_000;

  constructor(private readonly states: DestinationStates) {}

  async look(told: ReadonlyMap<string, Told>, tx: Tx): Promise<Findings> {
    const states = await this.states.read([...told.keys()], tx);
    const next = new Map<string, string | undefined>();
    const facts: ServiceFact[] = [];
    for (const state of states) {
      const before = told.get(state.id);
      const fact = factOf(state, before);
      if (state.health.state === (before?.state ?? 'healthy') || fact === undefined) continue;
      next.set(state.id, state.health.state === 'healthy' ? undefined : state.health.state);
      facts.push(fact);
    }
    const present = new Set(states.map(({ id }) => id));
    for (const id of told.keys()) if (!present.has(id)) next.set(id, undefined);
    return { told: next, facts };
  }
}

/** Undefined for a destination that an operator has paused: that says nothing of how it is. */
function factOf({ id, name, health }: DestinationState, before: Told | undefined): ServiceFact | undefined {
  const properties = { destinationId: id, destinationName: name };
  switch (health.state) {
    case 'paused':
      return undefined;
    case 'healthy': {
      const told = { previousState: before?.state ?? null, toldAt: before?.at.toISOString() ?? null };
      return {
        kind: 'destination_recovered',
        text: `Destination "${name}" is healthy again.`,
        properties: { ...properties, state: 'healthy', ...told },
        about: id,
      };
    }
    case 'degraded':
    case 'disabled':
      return {
        kind: `destination_${health.state}`,
        text: textOf(name, health),
        properties: { ...properties, state: health.state, reason: health.reason, since: health.since },
        about: id,
      };
  }
}

function textOf(name: string, { state, reason }: Health): string {
  const why = reason ?? 'unknown';
  return state === 'disabled'
    ? `Destination "${name}" was disabled by the service (${why}). Its deliveries wait until it is resumed.`
    : `Destination "${name}" is degraded (${why}).`;
}
