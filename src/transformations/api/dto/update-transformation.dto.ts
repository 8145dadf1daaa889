import { PartialType } from '@nestjs/swagger';
import { CreateTransformationDto } from './create-transformation.dto';

/** Members that are left out stay as they are. */
export class UpdateTransformationDto extends PartialType(CreateTransformationDto, {
  skipNullProperties: false,
}) {}
