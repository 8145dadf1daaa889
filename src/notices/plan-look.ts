import { Injectable } from '@nestjs/common';
import type { ServiceFact } from '../delivery/new-notices';
import type { Tx } from '../platform/database/database';
import { readPlannedSources } from '../sources/read-planned-sources';
import { readViolatingSources, type ViolatingSource } from '../tracking-plans/violations/find-violations';
import { compareTold } from './compare-told';
import type { Findings, Look, Told } from './look';

/** Violations are told of once, and again when there were none for this long. */
const QUIET_SECONDS = 3_600;

/** Tells that events of a source have begun to differ from their tracking plan. */
@Injectable()
export class PlanLook implements Look {
  readonly name = 'tracking_plans';
  readonly kinds = ['plan_violations'] as const;
  readonly everyMs = 5_000;

  async look(told: ReadonlyMap<string, Told>, tx: Tx): Promise<Findings> {
    const found = await readViolatingSources(QUIET_SECONDS, tx);
    const sources = await readPlannedSources(
      found.map(({ sourceId }) => sourceId),
      tx,
    );
    // A source has one plan: violations of one that it had before are over, and another one is news.
    const violating = found.filter(({ sourceId, planId }) => sources.get(sourceId)?.planId === planId);
    const states = new Map(violating.map(({ sourceId, planId }) => [sourceId, planId]));
    const { news, ...next } = compareTold(told, states);
    const facts = violating
      .filter(({ sourceId }) => news.has(sourceId))
      .map((one) => factOf(one, sources.get(one.sourceId)?.name ?? ''));
    return { ...next, facts };
  }
}

/** Names of events and members, which clients choose; no values. */
function factOf(
  { planId, planName, sourceId, count, since, kinds }: ViolatingSource,
  sourceName: string,
): ServiceFact {
  const [most] = kinds;
  const times = count === 1 ? 'once' : `${count} times`;
  const example = most === undefined ? '' : `, for example ${inWords(most)}`;
  return {
    kind: 'plan_violations',
    text: `Events of source "${sourceName}" differ from tracking plan "${planName}": ${times}${example}.`,
    properties: {
      trackingPlanId: planId,
      trackingPlanName: planName,
      sourceId,
      sourceName,
      since: since.toISOString(),
      count,
      kinds,
    },
  };
}

function inWords({ rule, path, code }: { rule: string; path: string; code: string }): string {
  return `${code} of ${rule}${path === '' ? '' : ` at ${path}`}`;
}
