import type { InputProblems } from '../platform/http/input/input-problems';
import { usersOf } from './computed-trait-planner';
import type { Configuration } from './configuration-reader';
import { segmentsInFilter } from './destination-references';
import type { ConfigDocumentDto } from './dto/config-document.dto';
import type { PresentVersion } from './planned-change';

type Named = PresentVersion & { readonly name: string };
type Users = (deleted: Named, left: Configuration) => readonly { readonly name: string }[];

/** Who keeps a resource from being deleted, by the list of it; and the code of that. */
const USERS: readonly (readonly [
  'trackingPlans' | 'transformations' | 'sources' | 'computedTraits' | 'segments',
  string,
  Users,
])[] = [
  [
    'trackingPlans',
    'tracking_plan_in_use',
    ({ id }, { sources }) => sources.filter(({ trackingPlanId }) => trackingPlanId === id),
  ],
  [
    'transformations',
    'transformation_in_use',
    ({ id }, { sources, destinations }) =>
      [...sources, ...destinations].filter(({ transformationId }) => transformationId === id),
  ],
  [
    'sources',
    'source_in_use',
    ({ id }, { destinations }) => destinations.filter(({ sources }) => sources?.includes(id) === true),
  ],
  ['computedTraits', 'computed_trait_in_use', ({ name }, left) => usersOf(name, left)],
  [
    'segments',
    'segment_in_use',
    ({ id }, { destinations }) => destinations.filter(({ filter }) => segmentsInFilter(filter).includes(id)),
  ],
];

/**
 * Notes what a document that is applied with `prune` would delete although something uses it that it leaves alone. Its
 * own entries are held against what it leaves where they are planned.
 */
export function checkDeletions(
  document: ConfigDocumentDto,
  configuration: Configuration,
  problems: InputProblems,
): void {
  const left = leftAlone(document, configuration);
  for (const [list, code, findUsers] of USERS) {
    const kept = document[list]?.map(({ name }) => name);
    if (kept === undefined) continue;
    for (const gone of configuration[list].filter(({ name }) => !kept.includes(name))) {
      const users = findUsers(gone, left).map(({ name }) => JSON.stringify(name));
      if (users.length === 0) continue;
      const message = `"${gone.name}" is not in it, and would be deleted while what the document leaves alone uses it: ${users.join(', ')}. Put it into the document, or those as they are to be.`;
      problems.fail(list, code, message);
    }
  }
}

/** Without the lists that the document has: what is not in them goes, too. */
function leftAlone(document: ConfigDocumentDto, configuration: Configuration): Configuration {
  return {
    ...configuration,
    sources: document.sources === undefined ? configuration.sources : [],
    segments: document.segments === undefined ? configuration.segments : [],
    destinations: document.destinations === undefined ? configuration.destinations : [],
  };
}
