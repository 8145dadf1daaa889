import { type JsonSchema, validatorSchema } from '../platform/openapi/validator-schema';
import { type Connector, madeSecrets } from './connector';

/** What `@ApiProperty` says that validators do not. */
const DESCRIBED = [
  'description',
  'default',
  'example',
  'oneOf',
  'properties',
  'additionalProperties',
  'maxProperties',
] as const;

/** The JSON Schema of a connector's config, from its validators; what it says to Swagger is added. */
export function connectorSchema(connector: Connector): JsonSchema {
  const { configClass, secretFields } = connector;
  const schema = validatorSchema(configClass);
  const properties = Object.entries(schema.properties ?? {}).map(([member, property]) => {
    const paths = secretFields.map((field) => field.split('.')).filter(([top]) => top === member);
    const complete: Schema = { ...property, ...described(configClass, member) };
    return [member, paths.reduce((marked, [, ...steps]) => markSecret(marked, steps), complete)];
  });
  const made = madeSecrets(connector);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
    // What is left out of these the service makes.
    required: schema.required?.filter((member) => !made.includes(member)) ?? [],
    properties: Object.fromEntries(properties) as JsonSchema['properties'],
    additionalProperties: false,
  };
}

type Schema = Readonly<Record<string, unknown>>;

/** Down a path of `secretFields`, into each of several forms. */
function markSecret(schema: Schema, [step, ...rest]: readonly string[]): Schema {
  if (step === undefined) return { ...schema, writeOnly: true, format: 'password' };
  const { oneOf, additionalProperties, properties } = schema;
  if (Array.isArray(oneOf))
    return { ...schema, oneOf: oneOf.map((form: Schema) => markSecret(form, [step, ...rest])) };
  if (step === '*' && isSchema(additionalProperties))
    return { ...schema, additionalProperties: markSecret(additionalProperties, rest) };
  const member = isSchema(properties) ? properties[step] : undefined;
  if (!isSchema(member)) return schema;
  return { ...schema, properties: { ...(properties as Schema), [step]: markSecret(member, rest) } };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function described(configClass: Connector['configClass'], member: string): Record<string, unknown> {
  const metadata: unknown = Reflect.getMetadata(
    'swagger/apiModelProperties',
    configClass.prototype as object,
    member,
  );
  if (typeof metadata !== 'object' || metadata === null) return {};
  const entries = Object.entries(metadata).filter(([key]) => (DESCRIBED as readonly string[]).includes(key));
  return Object.fromEntries(
    entries.map(([key, value]) =>
      key === 'example' ? ['examples', [value as unknown]] : [key, value as unknown],
    ),
  );
}
