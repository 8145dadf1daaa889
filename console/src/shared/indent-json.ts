import { isJson } from './is-json';

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON as people read it, with every digit as it was sent: `1.0` and integers beyond 2^53 stay what they are, which
 * `JSON.parse` would make doubles of. Undefined when the text is no JSON.
 */
export function indentJson(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  let indented = '';
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '}' || token === ']') depth -= 1;
    indented += between(last, token, depth) + token;
    if (token === '{' || token === '[') depth += 1;
    last = token;
  }
  return indented;
}

function between(last: string, next: string, depth: number): string {
  const isEmpty = (last === '{' && next === '}') || (last === '[' && next === ']');
  const isFirst = last === '{' || last === '[' || last === ',';
  if (!isEmpty && (isFirst || next === '}' || next === ']')) return `\n${'  '.repeat(depth)}`;
  return last === ':' ? ' ' : '';
}
