import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import type { JsonObject } from '../../../events/customer-event';
import { TrackingPlanDto } from './tracking-plan.dto';

/** A tracking plan of somebody else. */
export class ImportPlanDto {
  /** Read by `importPlan`. */
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      "As Segment's Public API or Config API answers it, or RudderStack's Tracking Plan API or Data Catalog API, or as Typewriter and RudderTyper write it.",
    example: {
      name: 'Shop',
      rules: [
        {
          type: 'TRACK',
          key: 'Order Completed',
          version: 1,
          jsonSchema: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            properties: {
              properties: {
                type: 'object',
                required: ['total'],
                properties: { total: { type: 'number' }, currency: { type: ['string', 'null'] } },
              },
            },
          },
        },
      ],
    },
  })
  @IsObject()
  document: JsonObject;
}

class ImportedContentDto extends PickType(TrackingPlanDto, [
  'name',
  'description',
  'rules',
  'unplannedEvents',
  'unplannedProperties',
]) {}

class ImportNoteDto {
  @ApiProperty({ example: 'document.rules[3].jsonSchema.properties.phone.format' })
  path: string;

  @ApiProperty({ example: 'The format "phone" is not checked.' })
  message: string;
}

/** A plan of ours that says what the other said. */
export class PlanImportDto {
  @ApiProperty({ description: 'It can be created as it is. Until it says otherwise, all is only observed.' })
  plan: ImportedContentDto;

  @ApiProperty({ type: [ImportNoteDto], description: 'What could not be kept.' })
  notes: ImportNoteDto[];
}
