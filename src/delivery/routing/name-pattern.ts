/** Whether an event name is one that a pattern means; `*` stands for any characters, none included. */
export type NameTest = (name: string) => boolean;

export function isPattern(text: string): boolean {
  return text.includes('*');
}

/** What is before the first `*` of a pattern, and what is behind the last one. */
export function endsOf(pattern: string): { readonly prefix: string; readonly suffix: string } {
  return {
    prefix: pattern.slice(0, pattern.indexOf('*')),
    suffix: pattern.slice(pattern.lastIndexOf('*') + 1),
  };
}

/** Compiled to plain string searches: a regular expression could be made to backtrack for ever. */
export function compileNamePattern(pattern: string): NameTest {
  if (!isPattern(pattern)) return (name) => name === pattern;
  const [prefix = '', ...rest] = pattern.split('*');
  const suffix = rest.pop() ?? '';
  const middle = rest.filter((part) => part !== '');
  const minLength = prefix.length + suffix.length;
  const fits: NameTest = (name) =>
    name.length >= minLength && name.endsWith(suffix) && name.startsWith(prefix);
  if (middle.length === 0) return fits;
  const [only = ''] = middle;
  if (middle.length === 1 && minLength === 0) return (name) => name.includes(only);
  return (name) => {
    if (!fits(name)) return false;
    let from = prefix.length;
    for (const part of middle) {
      const at = name.indexOf(part, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return from <= name.length - suffix.length;
  };
}
