import { Injectable } from '@nestjs/common';
import type { ProblemDetail } from '../platform/http/problems/problem';
import { RuleWarnings } from '../segments/explaining/rule-warnings';
import { definitionIn, type NamedMeasures } from '../segments/rules/named-measures';
import type { Plan, PlannedChange } from './planned-change';
import { anyIds } from './segment-planner';

/** Of many changes those that are looked at within this time have warnings: a plan is not to wait for them. */
const MAX_LOOKING_MS = 5_000;

export type Warnings = ReadonlyMap<PlannedChange, readonly ProblemDetail[]>;

/**
 * What a document says that is valid and probably not meant so, as the answer to each change by itself would have it.
 */
@Injectable()
export class ChangeWarnings {
  constructor(private readonly rules: RuleWarnings) {}

  async of({ changes, traits }: Plan): Promise<Warnings> {
    const warnings = new Map<PlannedChange, readonly ProblemDetail[]>();
    const untilMs = performance.now() + MAX_LOOKING_MS;
    for (const change of changes) {
      if (performance.now() > untilMs) break;
      warnings.set(change, await this.ofOne(change, traits));
    }
    return warnings;
  }

  private async ofOne(change: PlannedChange, traits: NamedMeasures): Promise<readonly ProblemDetail[]> {
    if (change.action === 'delete') return [];
    const { desired } = change;
    if (desired.kind === 'computedTrait') return this.rules.ofDefinition(definitionIn(desired.computedTrait));
    if (desired.kind !== 'segment') return [];
    const { rules, match } = desired.segment;
    return this.rules.of(anyIds(rules), match, traits);
  }
}
