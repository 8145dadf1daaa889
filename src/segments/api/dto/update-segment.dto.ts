import { PartialType } from '@nestjs/swagger';
import { CreateSegmentDto } from './create-segment.dto';

/** Members that are left out stay as they are; `rules` replaces all the rules. */
export class UpdateSegmentDto extends PartialType(CreateSegmentDto, { skipNullProperties: false }) {}
