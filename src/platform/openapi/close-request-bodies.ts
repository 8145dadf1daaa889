import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const PREFIX = '#/components/schemas/';

/** Says of all that the Management API takes that it has no other members: unknown ones are refused. */
export function closeRequestBodies(document: OpenAPIObject): void {
  const schemas: Schemas = document.components?.schemas ?? {};
  const bodies = Object.values(document.paths)
    .flatMap((item) => [item.post, item.put, item.patch])
    .filter((operation) => operation?.security?.some((scheme) => 'bearer' in scheme) === true)
    .map((operation) => operation?.requestBody);
  for (const name of reachable(referencesIn(bodies), schemas)) {
    const schema = schemas[name];
    if (schema !== undefined && 'properties' in schema) schema.additionalProperties ??= false;
  }
}

function reachable(start: readonly string[], schemas: Schemas): Set<string> {
  const names = new Set(start);
  for (const name of names) for (const next of referencesIn(schemas[name])) names.add(next);
  return names;
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' && member.startsWith(PREFIX)
      ? [member.slice(PREFIX.length)]
      : referencesIn(member),
  );
}
