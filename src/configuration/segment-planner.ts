import { Injectable } from '@nestjs/common';
import type { JsonValue } from '../events/customer-event';
import { Config } from '../platform/config/config';
import type { InputProblems } from '../platform/http/input/input-problems';
import type { CreateSegmentDto } from '../segments/api/dto/create-segment.dto';
import { SegmentsService } from '../segments/api/segments.service';
import { MAX_MEASURES } from '../segments/definitions/measure-limit';
import { TooManyMeasuresError } from '../segments/segment-problems';
import { windowProblems } from '../segments/rules/parsing/check-windows';
import type { NamedMeasures } from '../segments/rules/named-measures';
import { parseRules } from '../segments/rules/parsing/parse-rules';
import { completeSegment } from './complete-entry';
import { byName, type Configuration } from './configuration-reader';
import type { ConfigDocumentDto } from './dto/config-document.dto';
import { named, namesOf, segmentEntry } from './export-document';
import { failUnknown } from './fail-unknown';
import { fieldChanges } from './field-changes';
import { changeTo, type PlannedChange } from './planned-change';
import { keysOf, orderByReferences, renameSegments, segmentsAfter } from './segment-references';

/** Stands for an id that will be there. */
const ANY_ID = '00000000-0000-4000-8000-000000000000';

/** Compares the segments of a document with those that are there, and notes why they could not be changed. */
@Injectable()
export class SegmentPlanner {
  constructor(
    private readonly segments: SegmentsService,
    private readonly config: Config,
  ) {}

  /** @param traits the computed traits that there are afterwards */
  async plan(
    document: ConfigDocumentDto,
    configuration: Configuration,
    traits: NamedMeasures,
    problems: InputProblems,
  ): Promise<PlannedChange[]> {
    const changes = planSegments(document, configuration);
    const { retentionDays } = this.config.events;
    checkWindowsOf(changes, document, { traits, retentionDays }, problems);
    await this.checkMeasures(changes, document, traits, problems);
    return changes;
  }

  private async checkMeasures(
    changes: readonly PlannedChange[],
    { segments = [] }: ConfigDocumentDto,
    traits: NamedMeasures,
    problems: InputProblems,
  ): Promise<void> {
    const planned = changes.flatMap((change) => {
      const index = segments.findIndex(({ name }) => name === change.name);
      const { rules, match } = segments[index] ?? { rules: [] };
      const parsed = parseRules(anyIds(rules), match, traits);
      const key = change.action === 'create' ? change.name : change.present.id;
      return parsed.ok ? [{ index, key, predicate: parsed.predicate }] : [];
    });
    const excess = await this.segments.findExcess(planned);
    const index = planned.find((one) => one === excess)?.index;
    if (index === undefined) return;
    const { message, code } = new TooManyMeasuresError(MAX_MEASURES);
    problems.fail(`segments[${index}].rules`, code, message);
  }
}

/** What a segment asks about comes before it. */
function planSegments(document: ConfigDocumentDto, configuration: Configuration): PlannedChange[] {
  const { order } = orderByReferences(segmentsAfter(document, configuration));
  const keyOf = keysOf(configuration);
  const ranks = new Map(order.map((key, rank) => [key, rank]));
  const rankOf = ({ name }: CreateSegmentDto): number => ranks.get(keyOf(name)) ?? 0;
  const names = namesOf(configuration);
  const inOrder = (document.segments ?? []).toSorted((a, b) => rankOf(a) - rankOf(b));
  const presentOf = byName(configuration.segments);
  return inOrder
    .map((given) => {
      const segment = completeSegment(given);
      const { name } = segment;
      return changeTo({ name, desired: { kind: 'segment', segment } }, presentOf.get(name), (present) =>
        fieldChanges(segmentEntry(named(present, names)), segmentEntry(segment)),
      );
    })
    .filter((change) => change !== undefined);
}

export function checkRules(
  segments: readonly CreateSegmentDto[],
  names: ReadonlySet<string>,
  traits: NamedMeasures,
  problems: InputProblems,
): void {
  for (const [index, { rules, match }] of segments.entries()) {
    const checkName = (name: string, path: string): string => {
      if (!names.has(name)) failUnknown(problems, `segments[${index}].${path}`, 'segment', name);
      return ANY_ID; // The ids of those that are created are not known yet.
    };
    const byIds = Array.isArray(rules) ? renameSegments(rules as JsonValue[], checkName) : rules;
    const parsed = parseRules(byIds, match, traits);
    if (!parsed.ok) problems.failAll(parsed.errors, `segments[${index}]`);
  }
}

/** Of segments that change: stored ones may look further back than events are kept by now. */
function checkWindowsOf(
  changes: readonly PlannedChange[],
  { segments = [] }: ConfigDocumentDto,
  { traits, retentionDays }: { readonly traits: NamedMeasures; readonly retentionDays: number },
  problems: InputProblems,
): void {
  for (const { name } of changes) {
    const index = segments.findIndex((segment) => segment.name === name);
    const { rules, match } = segments[index] ?? { rules: [] };
    const parsed = parseRules(anyIds(rules), match, traits);
    if (parsed.ok) problems.failAll(windowProblems(parsed.predicate, retentionDays), `segments[${index}]`);
  }
}

/** Rules whose segments are found by name already, to be parsed: which segments they are says nothing there. */
export function anyIds(rules: readonly unknown[]): JsonValue[] {
  return renameSegments(rules as JsonValue[], () => ANY_ID);
}
