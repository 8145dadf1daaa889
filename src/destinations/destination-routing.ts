import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../events/customer-event';
import { Database } from '../platform/database/database';
import { InputProblems } from '../platform/http/input/input-problems';
import { unknownId } from '../platform/http/input/unknown-id';
import { SecretBox } from '../platform/secrets/secret-box';
import { readNamedMeasures } from '../segments/computed-traits/read-named-measures';
import { transformationExists } from '../transformations/transformation-code';
import { existingSources } from '../sources/existing-sources';
import type { Destination } from './destination.entity';
import { readGivenFilter } from './filter/read-given-filter';
import { parseMapping } from './mapping/parse-mapping';
import { sealMapping } from './mapping/seal-mapping';
import { checkNoticeTraits, type TraitNotices } from './notice-traits';

/** The members of a destination that say which events it gets, and how. Undefined changes nothing, null clears. */
export interface RoutingInput {
  readonly sources?: string[] | null;
  readonly filter?: JsonObject | null;
  readonly transformationId?: string | null;
  readonly mapping?: JsonObject | null;
  readonly notices?: string[];
  readonly noticeTraits?: string[] | null;
}

type StoredRouting = Pick<
  Destination,
  'sources' | 'filter' | 'transformationId' | 'mapping' | 'notices' | 'noticeTraits'
>;

const EVERYTHING: StoredRouting = {
  sources: null,
  filter: null,
  transformationId: null,
  mapping: null,
  notices: [],
  noticeTraits: null,
};

/** Checks which events a destination asks for, and how it wants them. */
@Injectable()
export class DestinationRouting {
  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
  ) {}

  /**
   * What to store.
   * @throws InvalidRequestError with paths such as `filter.conditions[1].operator`
   */
  async read(input: RoutingInput, before: StoredRouting = EVERYTHING): Promise<StoredRouting> {
    const problems = new InputProblems();
    await this.checkSources(input.sources, problems);
    await this.checkFilter(input.filter, problems);
    await this.checkTransformation(input.transformationId, problems);
    const notices = input.notices ?? before.notices;
    const noticeTraits = input.noticeTraits === undefined ? before.noticeTraits : input.noticeTraits;
    await this.checkNotices({ notices, noticeTraits }, problems);
    const mapping = this.readMapping(input.mapping, before, problems);
    problems.refuse();
    return {
      sources: input.sources === undefined ? before.sources : input.sources,
      filter: input.filter === undefined ? before.filter : input.filter,
      transformationId:
        input.transformationId === undefined ? before.transformationId : input.transformationId,
      mapping,
      notices,
      noticeTraits,
    };
  }

  private async checkSources(sources: string[] | null | undefined, problems: InputProblems): Promise<void> {
    const given = sources ?? [];
    noteUnknownSources(given, await existingSources(given, this.database), problems);
  }

  private async checkFilter(filter: JsonObject | null | undefined, problems: InputProblems): Promise<void> {
    if (filter === undefined || filter === null) return;
    await readGivenFilter(filter, this.database, problems);
  }

  private async checkTransformation(id: string | null | undefined, problems: InputProblems): Promise<void> {
    if (id === undefined || id === null || (await transformationExists(id, this.database))) return;
    noteUnknownTransformation(problems);
  }

  private async checkNotices(asked: TraitNotices, problems: InputProblems): Promise<void> {
    if (asked.noticeTraits === null) return;
    checkNoticeTraits(asked, await readNamedMeasures(this.database), problems);
  }

  private readMapping(
    input: JsonObject | null | undefined,
    { mapping: before }: StoredRouting,
    problems: InputProblems,
  ): JsonObject | null {
    if (input === undefined) return before;
    if (input === null) return null;
    const result = parseMapping(input);
    if (!result.ok) problems.failAll(result.errors);
    else return sealMapping(result.mapping, before, this.secretBox) ?? failMask(problems);
    return null;
  }
}

/** A key that nobody knows must not take the place of one that somebody believes to have kept. */
function failMask(problems: InputProblems): null {
  const message = 'Is the mask of another key, or of none: give the key itself, or leave it out.';
  problems.fail('mapping.hashKey', 'masked_secret', message);
  return null;
}

/** @param existing those of them that are there */
export function noteUnknownSources(
  ids: readonly string[],
  existing: ReadonlySet<string>,
  problems: InputProblems,
): void {
  for (const [index, id] of ids.entries()) {
    if (existing.has(id)) continue;
    problems.failAll([unknownId(`sources[${index}]`, 'source')]);
  }
}

export function noteUnknownTransformation(problems: InputProblems): void {
  problems.failAll([unknownId('transformationId', 'transformation')]);
}
