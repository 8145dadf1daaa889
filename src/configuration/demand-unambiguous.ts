import { InputProblems } from '../platform/http/input/input-problems';
import { AmbiguousNameError } from './configuration-problems';
import type { Configuration } from './configuration-reader';
import { RESOURCE_KINDS } from './dto/config-result.dto';
import { type ListName, listOf } from './planned-change';

/** Of a document, where a list may be missing, or of what is configured. */
export type Lists = { readonly [Name in ListName]?: readonly { readonly name: string }[] };

/** @throws AmbiguousNameError when a name that is listed is that of several */
export function demandUnambiguous(lists: Lists, configuration: Configuration): void {
  const problems = new InputProblems();
  for (const kind of RESOURCE_KINDS) {
    const twice = new Set(repeatsIn(configuration[listOf(kind)]).map(({ name }) => name));
    const listed = new Set((lists[listOf(kind)] ?? []).map(({ name }) => name));
    for (const [index, name] of [...listed].entries()) {
      if (!twice.has(name)) continue;
      const message = `There are several ${kind}s "${name}": rename all but one.`;
      problems.fail(`${listOf(kind)}[${index}].name`, 'ambiguous_name', message);
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
