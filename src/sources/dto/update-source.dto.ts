import { PartialType } from '@nestjs/swagger';
import { CreateSourceDto } from './create-source.dto';

/** Members that are left out stay as they are. */
export class UpdateSourceDto extends PartialType(CreateSourceDto, { skipNullProperties: false }) {}
