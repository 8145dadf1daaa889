import type { Field, TraitField } from './predicate';
import { MAX_FIELD_LENGTH } from './limits';

const TRAITS_PREFIX = 'traits.';
const GROUPS_PREFIX = 'groups.';

/**
 * What the text of a `field` looks at, or undefined when it is no field.
 *
 * A dot goes one level down. A trait whose own name has dots is found first by its whole name; inside a path,
 * `\.` is a dot that belongs to the name and `\\` a backslash.
 */
export function parseField(text: string): Field | undefined {
  if (text.length > MAX_FIELD_LENGTH || text.includes('\0') || !isWellFormed(text)) return undefined;
  switch (text) {
    case 'event_count':
    case 'first_seen':
    case 'last_seen':
    case 'groups':
    case 'segments':
      return { kind: text };
    default:
      return text.startsWith(GROUPS_PREFIX)
        ? parseTrait('group_trait', text.slice(GROUPS_PREFIX.length))
        : parseTrait('trait', text.startsWith(TRAITS_PREFIX) ? text.slice(TRAITS_PREFIX.length) : text);
  }
}

/** Text that UTF-8 (and so PostgreSQL) can hold: no half of a surrogate pair. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function parseTrait(kind: TraitField['kind'], text: string): Field | undefined {
  const path = text.split(/(?<!(?<!\\)(?:\\\\)*\\)\./).map((step) => step.replaceAll(/\\([\\.])/g, '$1'));
  if (path.includes('')) return undefined;
  return { kind, paths: path.length > 1 && !text.includes('\\') ? [[text], path] : [path] };
}
