interface Detail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** What is wrong with a member, for where it is said of which one: `name must be a text` is `Must be a text`. */
export function problemWords({ path, code, message }: Detail): string {
  // The service says which one by its id, and how a request is made that repeats the name.
  if (code === 'name_taken') return 'Another one has this name.';
  const subject = [`${path} `, `${path}: `].find((start) => message.startsWith(start));
  if (path === '' || subject === undefined) return message;
  const rest = message.slice(subject.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
