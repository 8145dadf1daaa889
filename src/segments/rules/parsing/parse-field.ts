import { splitPath } from '../../../events/event-path';
import type { Field, TraitField } from '../predicate';
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
  if (text.length > MAX_FIELD_LENGTH || text.includes('\0') || !text.isWellFormed()) return undefined;
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

function parseTrait(kind: TraitField['kind'], text: string): Field | undefined {
  const path = splitPath(text);
  if (path.includes('')) return undefined;
  return { kind, paths: path.length > 1 && !text.includes('\\') ? [[text], path] : [path] };
}
