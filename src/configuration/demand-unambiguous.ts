import { InputProblems } from '../platform/http/input/input-problems';
import { AmbiguousNameError } from './configuration-problems';
import type { Configuration } from './configuration-reader';
import { RESOURCE_KINDS } from './dto/config-result.dto';
import type { NameUse } from './name-uses';
import { type ListName, listOf } from './planned-change';

/** Of a document, where a list may be missing, or of what is configured. */
export type Lists = { readonly [Name in ListName]?: readonly { readonly name: string }[] };

/**
 * @param uses where resources are referred to beside
 * @throws AmbiguousNameError when a name that is listed or referred to is that of several
 */
export function demandUnambiguous(
  lists: Lists,
  configuration: Configuration,
  uses: readonly NameUse[] = [],
): void {
  const problems = new InputProblems();
  for (const kind of RESOURCE_KINDS) {
    const list = listOf(kind);
    const twice = new Set(repeatsIn(configuration[list]).map(({ name }) => name));
    const entries = (lists[list] ?? []).map(({ name }, index) => ({ name, path: `${list}[${index}].name` }));
    for (const { name, path } of [...entries, ...uses.filter((use) => use.kind === kind)]) {
      // Each name is told of once.
      if (!twice.delete(name)) continue;
      const message = `There are several ${list} "${name}": rename all but one.`;
      problems.fail(path, 'ambiguous_name', message);
    }
  }
  if (problems.errors.length > 0) throw new AmbiguousNameError(problems.errors);
}

/** The names that stand before them already. */
export function repeatsIn(
  resources: readonly { readonly name: string }[],
): { index: number; name: string }[] {
  const seen = new Set<string>();
  return resources.flatMap(({ name }, index) => {
    if (seen.has(name)) return [{ index, name }];
    seen.add(name);
    return [];
  });
}
