/** What is wrong, and where. */
interface PlacedMessage {
  readonly path: string;
  readonly message: string;
}

/** One thing that is wrong in a line. Its place is named once, though many messages begin with the end of their path. */
export function problemText({ path, message }: PlacedMessage): string {
  if (path === '') return message;
  const name = endsOf(path).find(
    (end) => message.startsWith(end) && !/^[\w[.]/.test(message.slice(end.length)),
  );
  return name === undefined ? `${path}: ${message}` : `${path}${message.slice(name.length)}`;
}

/** All that is wrong as one sentence: only the last one keeps its full stop. */
export function problemsText(problems: readonly PlacedMessage[]): string {
  const texts = problems.map(problemText);
  return texts.map((text, index) => (index < texts.length - 1 ? text.replace(/\.$/, '') : text)).join('; ');
}

/** `a.b[0]`, `b[0]`. */
function endsOf(path: string): string[] {
  const parts = path.split('.');
  return parts.map((_, index) => parts.slice(index).join('.'));
}
