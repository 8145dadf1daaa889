import type { InputProblems } from '../platform/http/input/input-problems';
import type { Notice } from './destination-notices';

const TRAIT_CHANGED: Notice = 'trait_changed';

/** What a destination asks to be told of computed traits. */
export interface TraitNotices {
  readonly notices: readonly string[];
  /** The names of those whose changes it is told of; null is all. */
  readonly noticeTraits: readonly string[] | null;
}

/** Which computed traits a destination is told the changes of: their names, or all. */
export function toldTraitsOf({ notices, noticeTraits }: TraitNotices): readonly string[] | 'all' {
  if (!notices.includes(TRAIT_CHANGED)) return [];
  return noticeTraits ?? 'all';
}

/** @param known the names of computed traits */
export function checkNoticeTraits(
  { notices, noticeTraits }: TraitNotices,
  known: { has(name: string): boolean },
  problems: InputProblems,
): void {
  if (noticeTraits === null) return;
  if (!notices.includes(TRAIT_CHANGED)) {
    const message = `Says which changes ${TRAIT_CHANGED} tells of: ask for that in notices, or make this null.`;
    problems.fail('noticeTraits', 'not_applicable', message);
  }
  for (const [index, name] of noticeTraits.entries()) {
    if (known.has(name)) continue;
    const message = `There is no computed trait called "${name}".`;
    problems.fail(`noticeTraits[${index}]`, 'unknown_computed_trait', message);
  }
}
