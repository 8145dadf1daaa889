import { Injectable } from '@nestjs/common';
import { sameJson } from '../events/same-json';
import type { InputProblems } from '../platform/http/input/input-problems';
import { ComputedTraitsService } from '../segments/computed-traits/api/computed-traits.service';
import { definitionIn, namedMeasures, type NamedMeasures } from '../segments/rules/named-measures';
import { completeComputedTrait } from './complete-entry';
import { byName, type Configuration } from './configuration-reader';
import { traitsInFilter } from './destination-references';
import type { ConfigDocumentDto } from './dto/config-document.dto';
import { computedTraitEntry } from './export-document';
import { fieldChanges } from './field-changes';
import { changeTo, type PlannedChange } from './planned-change';

/** Compares the computed traits of a document with those that are there, and notes what is wrong with them. */
@Injectable()
export class ComputedTraitPlanner {
  constructor(private readonly traits: ComputedTraitsService) {}

  plan(
    { computedTraits = [] }: ConfigDocumentDto,
    configuration: Configuration,
    problems: InputProblems,
  ): PlannedChange[] {
    const presentOf = byName(configuration.computedTraits);
    return computedTraits.flatMap((given, index): PlannedChange[] => {
      const computedTrait = completeComputedTrait(given);
      const { name } = computedTrait;
      const definition = definitionIn(computedTrait);
      problems.failAll(this.traits.check(definition), `computedTraits[${index}]`);
      const desired = { kind: 'computedTrait', computedTrait } as const;
      const present = presentOf.get(name);
      const change = changeTo({ name, desired }, present, (one) =>
        fieldChanges(computedTraitEntry(one), computedTraitEntry(computedTrait)),
      );
      if (change === undefined) return [];
      if (present === undefined) return [change];
      const isSame = sameJson(definitionIn(present), definition);
      const users = isSame ? [] : usersOf(name, configuration).map((one) => one.name);
      if (users.length > 0) {
        const message = `Rules of segments or filters of destinations ask about it, so only its description can change: ${users.join(', ')}.`;
        problems.fail(`computedTraits[${index}]`, 'computed_trait_in_use', message);
      }
      return [change];
    });
  }
}

/** What rules of a document may name: what is there and stays, and what the document has. */
export function traitsAfter(
  { computedTraits }: ConfigDocumentDto,
  configuration: Configuration,
  prune: boolean,
): NamedMeasures {
  const kept = prune && computedTraits !== undefined ? [] : configuration.computedTraits;
  return namedMeasures(
    [...kept, ...(computedTraits ?? [])].map((trait) => ({
      name: trait.name,
      definition: definitionIn(trait),
    })),
  );
}

/** The segments and destinations that ask about a computed trait. */
export function usersOf(
  name: string,
  { segments, destinations }: Configuration,
): { readonly name: string }[] {
  return [
    ...segments.filter(({ rules }) => JSON.stringify(rules).includes(`"field":"computed.${name}"`)),
    ...destinations.filter(
      ({ filter, noticeTraits }) =>
        noticeTraits?.includes(name) === true || traitsInFilter(filter).some(([, trait]) => trait === name),
    ),
  ];
}
