import { Injectable } from '@nestjs/common';
import { InputProblems } from '../platform/http/input/input-problems';
import type { CreateSourceDto } from '../sources/dto/create-source.dto';
import type { SourceDto } from '../sources/dto/source.dto';
import { SignatureDto } from '../sources/signature/signature.dto';
import { notAWebhook } from '../sources/source-problems';
import { SourcesService } from '../sources/sources.service';
import { completeSource } from './complete-entry';
import { byName, type Configuration } from './configuration-reader';
import type { ConfigDocumentDto, ConfigSourceDto } from './dto/config-document.dto';
import { namesOf, sourceEntry, withNames } from './export-document';
import type { KnownNames } from './destination-references';
import { failUnknown } from './fail-unknown';
import { fieldChanges } from './field-changes';
import { changeTo, type Plan, type PlannedChange } from './planned-change';
import { problemsOf } from './problems-of';
import { failUnresolved, isReference, referencesIn } from './secret-reference';

/** Compares the sources of a document with those that are there. */
@Injectable()
export class SourcePlanner {
  constructor(private readonly sources: SourcesService) {}

  async plan(
    { sources = [] }: ConfigDocumentDto,
    configuration: Configuration,
    problems: InputProblems,
  ): Promise<PlannedChange[]> {
    const names = namesOf(configuration);
    const changes: PlannedChange[] = [];
    const presentOf = byName(configuration.sources);
    for (const [index, given] of sources.entries()) {
      const present = presentOf.get(given.name);
      const source = keepUnresolved(completeSource(given), present);
      const planned = await this.planOne(source, present, names).catch(problemsOf);
      if (Array.isArray(planned)) problems.failAll(planned, `sources[${index}]`);
      else if (planned !== undefined) changes.push(planned);
    }
    return changes;
  }

  private async planOne(
    source: Required<ConfigSourceDto>,
    present: SourceDto | undefined,
    names: ReadonlyMap<string, string>,
  ): Promise<PlannedChange | undefined> {
    const { name } = source;
    const unresolved = new InputProblems();
    failUnresolved(referencesIn(source, ''), unresolved);
    if (source.kind !== 'webhook' && source.transformation !== null)
      unresolved.failAll([notAWebhook('transformation')]);
    unresolved.refuse();
    const desired = { kind: 'source', source } as const;
    const preview = await this.sources.previewSignature(source, present?.id);
    return changeTo({ name, desired }, present, (one) => {
      const after = sourceEntry({ ...source, signature: preview.signature });
      const fields = fieldChanges(sourceEntry(withNames(one, names)), after);
      return preview.changesSecrets && fields.every(({ path }) => !path.startsWith('signature'))
        ? [...fields, { path: 'signature.secrets', before: '****', after: '****' }]
        : fields;
    });
  }
}

/**
 * With the masks of the secrets that the source has, where references to them were not resolved: they stay. In a list
 * that became shorter they are left: which secret each stands for cannot be told.
 */
function keepUnresolved(
  given: Required<ConfigSourceDto>,
  present: SourceDto | undefined,
): Required<ConfigSourceDto> {
  const { signature } = given;
  const kept = present?.signature?.secrets ?? [];
  if (signature === null || signature.secrets.length < kept.length) return given;
  const secrets = signature.secrets.map((secret, index) =>
    isReference(secret) ? (kept[index] ?? secret) : secret,
  );
  return { ...given, signature: Object.assign(new SignatureDto(), signature, { secrets }) };
}

/** The plans and transformations that sources name are to be there. */
export function checkNamesInSources(
  { sources = [] }: ConfigDocumentDto,
  { trackingPlans, transformations }: KnownNames,
  problems: InputProblems,
): void {
  for (const [index, { trackingPlan = null, transformation = null }] of sources.entries()) {
    if (trackingPlan !== null && !trackingPlans.has(trackingPlan)) {
      failUnknown(problems, `sources[${index}].trackingPlan`, 'tracking plan', trackingPlan);
    }
    if (transformation !== null && !transformations.has(transformation)) {
      failUnknown(problems, `sources[${index}].transformation`, 'transformation', transformation);
    }
  }
}

/** As the Management API takes it. */
export function toSourceDto(
  { trackingPlan, transformation, ...source }: Required<ConfigSourceDto>,
  ids: Plan['ids'],
): Required<CreateSourceDto> {
  return {
    ...source,
    trackingPlanId: trackingPlan === null ? null : (ids.trackingPlan.get(trackingPlan) ?? null),
    transformationId: transformation === null ? null : (ids.transformation.get(transformation) ?? null),
  };
}
