/** What is wrong with a member, for where it is said of which one: `name must be a text` is `Must be a text`. */
export function problemWords({ path, message }: { readonly path: string; readonly message: string }): string {
  const subject = `${path} `;
  if (path === '' || !message.startsWith(subject)) return message;
  const rest = message.slice(subject.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
