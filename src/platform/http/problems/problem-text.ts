/** What is wrong, and where. */
interface PlacedMessage {
  readonly path: string;
  readonly message: string;
}

/**
 * One thing that is wrong in a line. Its place is named once, though many messages begin with the end of their path.
 */
export function problemText({ path, message }: PlacedMessage): string {
  if (path === '') return message;
  const name = endIn(message, path);
  return name === undefined ? `${path}: ${message}` : `${path}${message.slice(name.length)}`;
}

/** All that is wrong as one sentence: only the last one keeps its full stop. */
export function problemsText(problems: readonly PlacedMessage[]): string {
  const texts = problems.map(problemText);
  return texts.map((text, index) => (index < texts.length - 1 ? text.replace(/\.$/, '') : text)).join('; ');
}

/** The longest end of a path that a message begins with: of `a.b[0]` all of it, or `b[0]`. */
function endIn(message: string, path: string): string | undefined {
  // One after the other: in a name that a client made up there may be very many dots.
  for (let start = 0; ; start = path.indexOf('.', start) + 1) {
    const end = path.slice(start);
    if (message.startsWith(end) && !/^[\w[.]/.test(message.slice(end.length))) return end;
    if (!end.includes('.')) return undefined;
  }
}
