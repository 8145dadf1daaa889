import type { JsonObject } from '../events/customer-event';
import type { InputProblems } from '../platform/http/input/input-problems';

const REFERENCE = /^\$\{env:[A-Za-z_][A-Za-z0-9_]*\}$/;

/** Whether a value stands for a secret that the caller holds: `${env:NAME}`, and nothing around it. */
export function isReference(value: unknown): boolean {
  return typeof value === 'string' && REFERENCE.test(value);
}

/** The paths of all texts in a value that still have a reference in them. */
export function referencesIn(value: unknown, path: string): string[] {
  if (typeof value === 'string') return value.includes('${env:') ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    referencesIn(member, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`),
  );
}

/** References that were not resolved are problems. */
export function failUnresolved(paths: readonly string[], problems: InputProblems): void {
  const message = 'refers to a variable that is not set where the document is applied';
  for (const path of paths) problems.fail(path, 'unresolved_reference', message);
}

/** Makes up references such as `${env:ORDER_SERVICE_SECRET}`, each another one. */
export class ReferenceNames {
  private readonly taken = new Set<string>();

  /**
   * @param name of a source or destination, as people write it: the capitals inside of GitHub begin no words
   * @param members what leads to the secret in it, `signature`, `hashKey`: theirs do
   */
  next(name: string, ...members: readonly string[]): string {
    const base = [name, ...members.map(splitWords)]
      .map(constantCase)
      .filter((word) => word !== '')
      .join('_');
    const start = /^[A-Z]/.test(base) ? base : `CDP_${base}`;
    let variable = start;
    for (let count = 2; this.taken.has(variable); count += 1) variable = `${start}_${count}`;
    this.taken.add(variable);
    return `\${env:${variable}}`;
  }
}

/** The members of an object that are references. */
export function referenceMembers(object: JsonObject): string[] {
  return Object.keys(object).filter((name) => isReference(object[name]));
}

function splitWords(member: string): string {
  return member.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
}

function constantCase(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase();
}
