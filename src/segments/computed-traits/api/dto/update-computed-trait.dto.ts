import { PartialType } from '@nestjs/swagger';
import { CreateComputedTraitDto } from './create-computed-trait.dto';

/** A name or description that is left out stays; what is counted, from `event` to `to`, is replaced as a whole. */
export class UpdateComputedTraitDto extends PartialType(CreateComputedTraitDto, {
  skipNullProperties: false,
}) {}
