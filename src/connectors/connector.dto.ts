import { ApiProperty } from '@nestjs/swagger';
import { type Connector, sendsBatches } from './connector';
import type { JsonSchema } from '../platform/openapi/validator-schema';
import { connectorSchema } from './connector-schema';

/** An installed connector as the API returns it. */
export class ConnectorDto {
  @ApiProperty({ example: 's3-export', description: 'The `type` of its destinations.' })
  id: string;

  @ApiProperty({ example: 'S3 export' })
  name: string;

  @ApiProperty({
    enum: ['event', 'batch'],
    description:
      'Whether it sends events one by one or many at a time, unless the config of a destination asks for the other.',
  })
  sends: 'event' | 'batch';

  @ApiProperty({
    type: [String],
    example: ['secret', 'headers.*', 'auth.token'],
    description:
      'What of the config is sealed at rest and masked: a member, a member of a member, or (`*`) all members of one.',
  })
  secretFields: readonly string[];

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The JSON Schema of the `config` of its destinations.',
  })
  configSchema: JsonSchema;

  static from(connector: Connector): ConnectorDto {
    const { id, name, secretFields } = connector;
    const sends = sendsBatches(connector, {}) ? 'batch' : 'event';
    return { id, name, sends, secretFields, configSchema: connectorSchema(connector) };
  }
}
