import { ABSENT_LABEL, INNER_LABELS, LABELS, PARTS } from './field-labels';

const PART = /^(\w+)(?:\[(\d+)\])?$/;

/** A member of a rule or computed trait, as the form calls its field: `where[0].value` is `Condition 1, Value`. */
export function memberWords(path: string): string {
  return path
    .split('.')
    .map((part, depth) => partWords(part, depth > 0))
    .join(', ');
}

/** One that the form has no field for is called as it is. */
function partWords(part: string, isInner: boolean): string {
  const [, name = '', index] = PART.exec(part) ?? [];
  if (index !== undefined) return isIn(PARTS, name) ? PARTS[name](Number(index)) : part;
  if (name === 'not') return ABSENT_LABEL;
  if (isInner && isIn(INNER_LABELS, name)) return INNER_LABELS[name];
  return isIn(LABELS, name) ? LABELS[name] : part;
}

function isIn<Table extends object>(table: Table, name: string): name is keyof Table & string {
  return Object.hasOwn(table, name);
}
