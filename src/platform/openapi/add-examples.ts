import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_IDS, PATH_EXAMPLES, READ_EXAMPLES } from './example-ids';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type SchemaOrReference = Schemas[string];
type Schema = Exclude<SchemaOrReference, { $ref: string }>;

interface Route {
  readonly path: string;
  readonly method: 'get' | 'put' | 'post';
}

/** Swagger UI adds a hash of the body to it (see `swagger-ui.ts`). */
const EXAMPLE_IDEMPOTENCY_KEY = 'example';
/** Of a stream, which Swagger UI shows when it has ended. */
const EXAMPLE_SECONDS = 2;

/**
 * Gives every operation examples that work when they are sent as they are, and when they are sent twice. Bodies are put
 * together from the examples of their members. Operations that delete have no example.
 */
export function addExamples(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'put', 'post'] as const) {
      const operation = item[method];
      if (operation === undefined) continue;
      addToOperation(operation, { path, method }, schemas);
      if (method === 'put' && path.endsWith('/{id}')) leaveOutNames(operation);
    }
  }
}

/** The example of a change keeps the name and type of what it changes: the name of the creation's may be another's. */
function leaveOutNames({ requestBody }: Operation): void {
  if (requestBody === undefined || '$ref' in requestBody) return;
  for (const content of Object.values(requestBody.content)) {
    if (content.example === undefined) continue;
    const { name: _name, type: _type, ...others } = content.example as Record<string, unknown>;
    content.example = others;
  }
}

function addToOperation({ parameters = [], requestBody }: Operation, route: Route, schemas: Schemas): void {
  for (const parameter of parameters) {
    if ('$ref' in parameter || parameter.example !== undefined) continue;
    const example = exampleOfParameter(parameter, route);
    if (example !== undefined) parameter.example = example;
  }
  if (requestBody === undefined || '$ref' in requestBody) return;
  for (const content of Object.values(requestBody.content)) {
    if (content.schema === undefined || content.examples !== undefined) continue;
    content.example ??= exampleOf(content.schema, schemas);
  }
}

function exampleOfParameter(
  { in: place, name, required, schema }: Parameter,
  { path, method }: Route,
): unknown {
  if (name === 'Idempotency-Key') return EXAMPLE_IDEMPOTENCY_KEY;
  if (name === 'seconds') return EXAMPLE_SECONDS;
  const own: unknown = schema === undefined || '$ref' in schema ? undefined : schema.example;
  if (place === 'query' && required === true) return own;
  if (place !== 'path') return undefined;
  const found = PATH_EXAMPLES.find(([start, parameter]) => path.startsWith(start) && name === parameter);
  if (found === undefined) return own;
  const [, , example] = found;
  return EXAMPLE_IDS[(method === 'get' ? READ_EXAMPLES[example] : undefined) ?? example];
}

/** Members that have no example are left out. */
function exampleOf(schema: SchemaOrReference, schemas: Schemas): unknown {
  if ('$ref' in schema) {
    const target = schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    return target && exampleOf(target, schemas);
  }
  if (schema.example !== undefined) return schema.example as unknown;
  if (schema.properties !== undefined) return exampleOfObject(schema.properties, schemas);
  if (schema.type === 'array') {
    const item = schema.items && exampleOf(schema.items, schemas);
    return item === undefined ? schema.default : [item];
  }
  return (schema.default as unknown) ?? (schema.enum?.[0] as unknown);
}

function exampleOfObject(properties: NonNullable<Schema['properties']>, schemas: Schemas): object {
  const members = Object.entries(properties).map(([name, property]) => [name, exampleOf(property, schemas)]);
  return Object.fromEntries(members.filter(([, example]) => example !== undefined)) as object;
}
