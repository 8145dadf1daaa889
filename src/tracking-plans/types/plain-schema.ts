import { isJsonObject, type JsonObject, type JsonValue } from '../../events/customer-event';
import { resolveReference } from '../language/resolve-reference';
import { plainText } from './plain-text';

/** What a schema says of the types of values, and nothing else: what generators of types understand alike. */
export type PlainSchema = JsonObject;

/** The schema that a plain one is made of. */
interface SchemaOrigin {
  readonly root: JsonObject;
  /** Whether objects of which it names members have no others. */
  readonly isClosed: boolean;
}

type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** Keywords that speak of values of one type: who writes one without `type` means that type. */
const KEYWORDS_OF: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'dependentRequired',
    'dependentSchemas',
  ],
  array: [
    'items',
    'prefixItems',
    'contains',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minContains',
    'maxContains',
  ],
  string: ['pattern', 'format', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};
/** What holds of some values only: members that they name may be there. */
const CONDITIONAL = ['if', 'then', 'else', 'dependentSchemas', 'not'];

/**
 * A schema that `inspectSchema` let pass as a plain one, with its references followed. Where types cannot say what it
 * says, as with `not` and `if`, it says less; it never refuses what the schema lets pass, but for values of types that
 * the schema forgot to exclude.
 */
export function toPlainSchema(schema: JsonValue | undefined, origin: SchemaOrigin): PlainSchema {
  if (!isJsonObject(schema)) return {};
  const { $ref: reference, allOf = [], anyOf, oneOf, description } = schema;
  const referred = typeof reference === 'string' ? [resolveReference(reference, origin.root)] : [];
  const all = [...referred, ...elementsOf(allOf)].map((one) => toPlainSchema(one, origin));
  const choices = [anyOf, oneOf].flatMap((one) => (Array.isArray(one) ? [choiceOf(one, origin)] : []));
  const parts = [ownTypes(schema, origin), ...all, ...choices].filter((part) => Object.keys(part).length > 0);
  const [first = {}, ...others] = parts;
  const plain = others.length === 0 ? first : { allOf: parts };
  const text = typeof description === 'string' ? plainText(description) : '';
  // Generators take what has a description and no type for an object.
  return text === '' || parts.length === 0 ? plain : { ...plain, description: text };
}

/** Any of them; nothing is said when one says nothing. */
function choiceOf(schemas: readonly JsonValue[], origin: SchemaOrigin): PlainSchema {
  const choices = schemas.filter((one) => one !== false).map((one) => toPlainSchema(one, origin));
  return choices.length === 0 || choices.some((one) => Object.keys(one).length === 0)
    ? {}
    : { anyOf: choices };
}

function ownTypes(schema: JsonObject, origin: SchemaOrigin): PlainSchema {
  const values = 'const' in schema ? [schema.const ?? null] : schema.enum;
  if (Array.isArray(values))
    return values.every(isScalar) && values.length > 0 ? { enum: [...new Set(values)] } : {};
  const types = typesOf(schema).map((type) => ofType(type, schema, origin));
  const [only = {}, ...others] = types;
  return others.length === 0 ? only : { anyOf: types };
}

function typesOf(schema: JsonObject): TypeName[] {
  const { type } = schema;
  if (typeof type === 'string') return [type as TypeName];
  if (Array.isArray(type)) return type as TypeName[];
  const meant = (Object.keys(KEYWORDS_OF) as TypeName[]).filter((name) =>
    KEYWORDS_OF[name]?.some((keyword) => keyword in schema),
  );
  return meant.length === 1 ? meant : [];
}

function ofType(type: TypeName, schema: JsonObject, origin: SchemaOrigin): PlainSchema {
  if (type === 'object') return ofObject(schema, origin);
  if (type !== 'array') return { type };
  const { items, prefixItems } = schema;
  if (!Array.isArray(prefixItems)) return { type, items: toPlainSchema(items, origin) };
  return { type, items: choiceOf([...prefixItems, items ?? true], origin) };
}

function ofObject(schema: JsonObject, origin: SchemaOrigin): PlainSchema {
  const { properties, required = [], additionalProperties, patternProperties } = schema;
  const named = Object.entries(isJsonObject(properties) ? properties : {}).filter(([, one]) => one !== false);
  const names = new Set(named.map(([name]) => name));
  const needed = elementsOf(required).filter((name) => typeof name === 'string');
  const unnamed = needed.filter((name) => !names.has(name)).map((name): [string, JsonValue] => [name, true]);
  const members = [...named, ...unnamed];
  if (members.length === 0) {
    const isMap = isJsonObject(additionalProperties) && patternProperties === undefined;
    return {
      type: 'object',
      additionalProperties: isMap ? toPlainSchema(additionalProperties, origin) : true,
    };
  }
  const mayHaveOthers = patternProperties !== undefined || CONDITIONAL.some((keyword) => keyword in schema);
  // Where none is named none is unplanned.
  const isPlanned = origin.isClosed && named.length > 0;
  const isClosed = (isPlanned || additionalProperties === false) && !mayHaveOthers;
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, one]) => [name, toPlainSchema(one, origin)])),
    ...(needed.length === 0 ? {} : { required: needed }),
    additionalProperties: !isClosed,
  };
}

function elementsOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}
