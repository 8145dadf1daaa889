/** What stands in a keyword of JSON Schema 2020-12. */
type KeywordKind =
  /** A schema of the same value. */
  | 'schema'
  | 'schemas'
  | 'schemaMap'
  /** A schema of each of the members or elements. */
  | 'schemaOfEach'
  /** Schemas of members, whose names are patterns. */
  | 'patternMap'
  /** Schemas that count where they are referred to. */
  | 'definitions'
  | 'reference'
  | 'value'
  /** Says nothing about what is valid. */
  | 'annotation';

/** Every keyword that a plan may use. */
export const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ...of('schema', 'not', 'if', 'then', 'else'),
  ...of('schemas', 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  ...of('schemaMap', 'properties', 'dependentSchemas'),
  ...of('schemaOfEach', 'additionalProperties', 'propertyNames', 'items', 'contains'),
  ...of('patternMap', 'patternProperties'),
  ...of('definitions', '$defs', 'definitions'),
  ...of('reference', '$ref'),
  ...of('value', 'type', 'enum', 'const', 'pattern', 'format', 'required', 'dependentRequired'),
  ...of('value', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'),
  ...of('value', 'maxLength', 'minLength', 'maxItems', 'minItems', 'uniqueItems', 'maxContains'),
  ...of('value', 'minContains', 'maxProperties', 'minProperties'),
  ...of('annotation', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'),
  ...of('annotation', '$comment', 'contentEncoding', 'contentMediaType', 'contentSchema'),
]);

/** Keywords that have a meaning which plans do not, each with what to do instead. */
export const REFUSED_KEYWORDS: ReadonlyMap<string, string> = new Map([
  ...['$id', 'id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary'].map(
    (keyword): [string, string] => [
      keyword,
      'A schema stands for itself here: refer to its parts as #/$defs/….',
    ],
  ),
  ...['$dynamicRef', '$recursiveRef'].map((keyword): [string, string] => [
    keyword,
    'Refer to a part of the same schema, with $ref.',
  ]),
  ['dependencies', 'Use dependentRequired or dependentSchemas.'],
  ...['additionalItems', 'unevaluatedItems'].map((keyword): [string, string] => [
    keyword,
    'Use items, and prefixItems for the first ones.',
  ]),
  // ajv gets what was evaluated wrong, and fails at events when it looks for all errors.
  ['unevaluatedProperties', 'Use unplannedProperties of the plan, or additionalProperties.'],
]);

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

function of(kind: KeywordKind, ...keywords: readonly string[]): [string, KeywordKind][] {
  return keywords.map((keyword) => [keyword, kind]);
}
