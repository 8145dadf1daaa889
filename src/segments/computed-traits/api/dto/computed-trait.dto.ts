import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ProblemDetailDto } from '../../../../platform/openapi/problem.dto';
import type { ComputedTrait } from '../../computed-trait.entity';
import { COUNTED, VALUE_STATES, type KeptState, type ValueState } from '../../kept-states';
import { CreateComputedTraitDto } from './create-computed-trait.dto';

/** A computed trait as the API returns it. */
export class ComputedTraitDto extends CreateComputedTraitDto {
  @ApiProperty({ format: 'uuid', example: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b' })
  id: string;

  @ApiProperty({ required: true, example: 'What somebody paid in three months.' })
  declare description: string;

  @ApiProperty({
    enum: [...VALUE_STATES],
    example: 'counted',
    description:
      '`counted`: whenever somebody asks. `kept`: up to date with each event, because a destination has a filter that asks ' +
      'about it, or notices of changes. `computing`: about to be kept, and counted until then.',
  })
  values: ValueState;

  @ApiProperty({
    minimum: 0,
    maximum: 1,
    description: 'While `values` is `computing`: for which part of the people it is done, about. Else 1.',
  })
  progress: number;

  @ApiProperty({ type: 'integer', example: 1, description: 'Goes up with each change; also the `ETag`.' })
  version: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-20T12:00:00.000Z' })
  updatedAt: string;

  static from(trait: ComputedTrait, { values, progress }: KeptState = COUNTED): ComputedTraitDto {
    const { id, name, description, definition, version, createdAt, updatedAt } = trait;
    return {
      id,
      name,
      description,
      ...definition,
      values,
      progress,
      version,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

export const TRAIT_WARNINGS: ApiPropertyOptions = {
  type: [ProblemDetailDto],
  description:
    'What is valid and probably not meant so, as of the rules of segments: an event that no profile has (`unknown_event`), a path ' +
    'that none of the newest 200 events of the name has (`unknown_path`), or where these have values that the operator or ' +
    'aggregate does not look at (`unusable_values`), and a range from before events are kept (`range_beyond_retention`).',
  example: [
    {
      path: 'of',
      code: 'unknown_path',
      message:
        'None of the newest 200 stored events called `Order Completed` has `properties.totl`; did you mean `properties.total`?',
    },
  ],
};

/** The answer to a change of a computed trait. */
export class ChangedComputedTraitDto extends ComputedTraitDto {
  @ApiProperty(TRAIT_WARNINGS)
  warnings: ProblemDetailDto[];
}
