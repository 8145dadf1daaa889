/** States by table, as their constraints have them, and how a change of the table is named in the diagram. */
const TABLES = {
  delivery: { kind: '', first: 'pending', states: ['pending', 'delivered', 'dead', 'cancelled'] },
  delivery_batch: { kind: 'batch: ', first: 'closed', states: ['closed', 'sent', 'dead'] },
} as const;
type Table = keyof typeof TABLES;

const WRITE = /\b(insert into|update|delete from) (delivery|delivery_batch)\b(?: (?!set\b|where\b)\w+)?/g;
// `r` are outcomes, which have states of their own. A state may be hidden from the planner.
const CONDITION =
  /(?<!\br\.)\bstate(?: \|\| '')? (?:= '(?<is>\w+)'|<> '(?<not>\w+)'|in \((?<among>[^)]*)\))/g;
const ASSIGNMENT = /(?:^|,)\s*state = ('(?<literal>\w+)'|\S)/;

/**
 * The changes of states that a statement makes, as the diagram in ARCHITECTURE.md writes them: `pending --> dead`. What
 * asks for no state changes `any`; what sets a state from elsewhere can set each.
 */
export function changesOf(sql: string): string[] {
  const text = sql.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ');
  return [...text.matchAll(WRITE)].flatMap(({ 0: words, 1: verb, 2: table, index }) => {
    const name = table === 'delivery' ? 'delivery' : 'delivery_batch';
    const { kind, first } = TABLES[name];
    if (verb === 'insert into') return [`${kind}[*] --> ${first}`];
    const { set, rest } = clausesOf(text.slice(index + words.length));
    const from = conditionsIn(rest, name) ?? conditionsIn(withoutSets(text), name) ?? ['any'];
    return from.flatMap((state) =>
      (verb === 'update' ? targetsOf(set, state, name) : ['[*]']).map((to) => `${kind}${state} --> ${to}`),
    );
  });
}

/** What an update sets, and what follows, up to the end of the statement or its parenthesis. */
function clausesOf(text: string): { readonly set: string; readonly rest: string } {
  const end = endOf(text, 0, /^$/);
  const start = /^ set /.exec(text)?.[0].length ?? 0;
  const setEnd = start === 0 ? 0 : endOf(text, start, /^ (?:from|where|returning) /);
  return { set: text.slice(start, setEnd), rest: text.slice(setEnd, end) };
}

/** Where the level of parentheses that begins at `start` ends, or `word` stands in it. */
function endOf(text: string, start: number, word: RegExp): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && word.test(text.slice(at, at + 11)))) return at;
  }
  return text.length;
}

/** The states that are asked for; undefined when none is, `any` when something else will do. */
function conditionsIn(text: string, table: Table): string[] | undefined {
  const { states } = TABLES[table];
  const found = [...text.matchAll(CONDITION)].flatMap(({ groups = {} }) => {
    if (groups['is'] !== undefined) return [groups['is']];
    if (groups['not'] !== undefined) return states.filter((state) => state !== groups['not']);
    return [...(groups['among'] ?? '').matchAll(/'(\w+)'/g)].map(([, state = '']) => state);
  });
  if (found.length === 0) return undefined;
  return endOf(text, 0, /^ or /) < text.length ? ['any'] : [...new Set(found)];
}

function targetsOf(set: string, from: string, table: Table): readonly string[] {
  const assigned = ASSIGNMENT.exec(set);
  if (assigned === null) return [from];
  const literal = assigned.groups?.['literal'];
  return literal === undefined ? TABLES[table].states : [literal];
}

function withoutSets(text: string): string {
  const update = /\bupdate \w+(?: \w+)?(?= set )/g;
  return [...text.matchAll(update)].reduceRight((left, { 0: words, index }) => {
    const begin = index + words.length;
    const { set } = clausesOf(text.slice(begin));
    return left.slice(0, begin) + left.slice(begin + ' set '.length + set.length);
  }, text);
}
