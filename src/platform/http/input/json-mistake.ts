/** The search below parses a text so often as its length has bits. */
const MAX_SEARCHED_LENGTH = 64 * 1024;

/**
 * What is wrong with a text that is not JSON, and where, without any of its content. It parses the text again: for what
 * is refused only.
 */
export function jsonMistake(text: string): string {
  if (text.trim() === '') return 'The body is empty: send JSON.';
  const message = messageOf(text) ?? '';
  const [, words, position] = /^(.*?)(?: in JSON)? at position (\d+)/.exec(message) ?? [];
  if (words !== undefined)
    return `The body is not valid JSON. ${words}${lineAndColumn(Number(position), text)}.`;
  if (!hasUnexpectedToken(text)) return 'The body is not valid JSON. It ends too early.';
  const where = text.length <= MAX_SEARCHED_LENGTH ? lineAndColumn(findUnexpectedToken(text), text) : '';
  return `The body is not valid JSON. Unexpected character${where}.`;
}

/** The engine says what it did not expect, but not where: one before the end of the shortest beginning that has it. */
function findUnexpectedToken(text: string): number {
  let without = 0;
  let having = text.length;
  while (having - without > 1) {
    const length = Math.floor((without + having) / 2);
    if (hasUnexpectedToken(text.slice(0, length))) having = length;
    else without = length;
  }
  return without;
}

function hasUnexpectedToken(text: string): boolean {
  return messageOf(text)?.startsWith('Unexpected token') === true;
}

/** Undefined when it is JSON. */
function messageOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function lineAndColumn(position: number, text: string): string {
  const before = text.slice(0, position).split('\n');
  return ` at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
