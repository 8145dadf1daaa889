/** Why there is no answer. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** What an answer says that is a problem: one line per thing that is wrong, each with its path in the document. */
export function messageOf(text: string): string {
  try {
    const {
      code,
      message,
      errors = [],
    } = JSON.parse(text) as {
      code: string;
      message: string;
      errors?: { path: string; message: string }[];
    };
    if (errors.length === 0) return `${message} (${code})`;
    return [code, ...errors.map((error) => `  ${error.path}: ${error.message}`)].join('\n');
  } catch {
    return text.slice(0, 500); // Not from the service: something in between answered.
  }
}
