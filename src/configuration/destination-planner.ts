import { Injectable } from '@nestjs/common';
import { ConnectorRegistry } from '../connectors/registry';
import { replaceSecrets, configValueAt } from '../connectors/secret-fields';
import { demandFit } from '../destinations/demand-fit';
import { DestinationPreviews, type DestinationPreview } from '../destinations/destination-previews';
import type { CreateDestinationDto } from '../destinations/dto/create-destination.dto';
import type { DestinationDto } from '../destinations/dto/destination.dto';
import { parseFilter } from '../destinations/filter/parse-filter';
import { InputProblems } from '../platform/http/input/input-problems';
import type { ProblemDetail } from '../platform/http/problems/problem';
import type { NamedMeasures } from '../segments/rules/named-measures';
import { completeDestination } from './complete-entry';
import { traitsAfter } from './computed-trait-planner';
import { byName, type Configuration } from './configuration-reader';
import { checkNames, knownNames, toCreateDto, withoutTraits } from './destination-references';
import type { ConfigDestinationDto, ConfigDocumentDto } from './dto/config-document.dto';
import type { FieldChangeDto } from './dto/config-result.dto';
import { destinationEntry, namesOf } from './export-document';
import { fieldChanges } from './field-changes';
import { changeTo, type Plan, type PlannedChange } from './planned-change';
import { problemsOf } from './problems-of';
import { failUnresolved, isReference, referencesIn } from './secret-reference';

type Complete = Required<ConfigDestinationDto>;

/** Compares the destinations of a document with those that are there, and checks them as a create or update would. */
@Injectable()
export class DestinationPlanner {
  constructor(
    private readonly previews: DestinationPreviews,
    private readonly connectors: ConnectorRegistry,
  ) {}

  async plan(
    document: ConfigDocumentDto,
    configuration: Configuration,
    { ids, prune }: { readonly ids: Plan['ids']; readonly prune: boolean },
    problems: InputProblems,
  ): Promise<PlannedChange[]> {
    const changes: PlannedChange[] = [];
    const known = knownNames(document, configuration, prune);
    const traits = traitsAfter(document, configuration, prune);
    const presentOf = byName(configuration.destinations);
    for (const [index, given] of (document.destinations ?? []).entries()) {
      const present = presentOf.get(given.name);
      const destination = this.keepUnresolved(completeDestination(given), present);
      const own = new InputProblems();
      checkNames(destination, known, own);
      checkReferences(destination, present, own);
      checkTraits(toCreateDto(destination, ids), traits, own);
      if (own.errors.length === 0) {
        const planned = await this.planOne(destination, present, ids, configuration).catch(problemsOf);
        if (Array.isArray(planned)) own.failAll(planned.map(asInDocument));
        else if (planned !== undefined) changes.push(planned);
      }
      problems.failAll(own.errors, `destinations[${index}]`);
    }
    return changes;
  }

  private async planOne(
    destination: Complete,
    present: DestinationDto | undefined,
    ids: Plan['ids'],
    configuration: Configuration,
  ): Promise<PlannedChange | undefined> {
    const { name } = destination;
    const desired = { kind: 'destination', destination } as const;
    const dto = toCreateDto(withoutTraits(destination), ids);
    if (present === undefined) {
      await this.previews.checkCreate(dto);
      this.demandFit(destination);
      return { action: 'create', name, desired };
    }
    const preview = await this.previews.ofUpdate(present.id, dto);
    this.demandFit(destination);
    return changeTo({ name, desired }, present, () =>
      changesOf(preview, destination, namesOf(configuration)),
    );
  }

  /** The previews know nothing of a transformation that has no id yet. */
  private demandFit(destination: Complete): void {
    const { type, transformation: transformationId } = destination;
    demandFit({ ...destination, transformationId }, this.connectors.get(type));
  }

  /** With the masks of the secrets that the destination has, where references to them were not resolved: they stay. */
  private keepUnresolved(given: Complete, present: DestinationDto | undefined): Complete {
    if (present === undefined) return given;
    const secretFields = this.connectors.get(given.type)?.secretFields ?? [];
    const config = replaceSecrets(given.config, secretFields, ({ path, value }) =>
      isReference(value) ? (configValueAt(present.config, path) ?? value) : value,
    );
    return { ...given, config };
  }
}

/**
 * References that were not resolved. The one to the key of a mapping that the destination has leaves it as it is: where
 * it has none, as after its mapping was taken away, a key nobody knows would take its place.
 */
function checkReferences(
  { config, mapping }: Complete,
  present: DestinationDto | undefined,
  problems: InputProblems,
): void {
  const isKept = present?.mapping?.hashKey !== undefined && isReference(mapping?.hashKey);
  const ofMapping = referencesIn(mapping, 'mapping').filter(
    (path) => !(isKept && path === 'mapping.hashKey'),
  );
  failUnresolved([...referencesIn(config, 'config'), ...ofMapping], problems);
}

/** What else is wrong with a filter is found where the destination is checked. */
function checkTraits({ filter }: CreateDestinationDto, traits: NamedMeasures, problems: InputProblems): void {
  if (filter === null || filter === undefined || problems.errors.length > 0) return;
  const [kept, asked] = [parseFilter(filter), parseFilter(filter, traits)];
  if (kept.ok && !asked.ok) problems.failAll(asked.errors);
}

function changesOf(
  { before, after, changedSecrets }: DestinationPreview,
  desired: Complete,
  names: ReadonlyMap<string, string>,
): FieldChangeDto[] {
  const [old, young] = [destinationEntry(before, names), destinationEntry(after, names)];
  // Names for which there is no id yet are not in the preview.
  if (desired.sources !== null) young.sources = desired.sources;
  if (desired.filter !== null) young.filter = desired.filter;
  if (desired.transformation !== null) young.transformation = desired.transformation;
  if (desired.noticeTraits !== null) young.noticeTraits = desired.noticeTraits;
  const shown = fieldChanges(old, young);
  const hidden = changedSecrets.filter((path) => shown.every((field) => !isWithin(path, field.path)));
  return [...shown, ...hidden.map((path) => ({ path, before: '****', after: '****' }))];
}

/** Whether a line about `parent` says what becomes of `path`: a mapping that goes takes its key along. */
function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}.`);
}

/** What the Management API knows by its id has a name in a document. */
function asInDocument(detail: ProblemDetail): ProblemDetail {
  if (detail.path !== 'transformationId') return detail;
  return {
    ...detail,
    path: 'transformation',
    message: detail.message.replace('transformationId', 'transformation'),
  };
}
