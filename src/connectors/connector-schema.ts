import { type JsonSchema, validatorSchema } from '../platform/openapi/validator-schema';
import type { Connector } from './connector';

/** What `@ApiProperty` says that validators do not. */
const DESCRIBED = ['description', 'default', 'example'] as const;

/** The JSON Schema of a connector's config, from its validators; what it says to Swagger is added. */
export function connectorSchema(connector: Connector): JsonSchema {
  const { configClass, secretFields } = connector;
  const schema = validatorSchema(configClass);
  const properties = Object.entries(schema.properties ?? {}).map(([member, property]) => [
    member,
    {
      ...property,
      ...described(configClass, member),
      ...(secretFields.includes(member) ? { writeOnly: true, format: 'password' } : {}),
    },
  ]);
  const made = Object.keys(connector.newSecrets?.() ?? {});
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
    // What is left out of these the service makes.
    required: schema.required?.filter((member) => !made.includes(member)) ?? [],
    properties: Object.fromEntries(properties) as JsonSchema['properties'],
    additionalProperties: false,
  };
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
