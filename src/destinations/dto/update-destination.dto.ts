import { PartialType } from '@nestjs/swagger';
import { CreateDestinationDto } from './create-destination.dto';

/**
 * Members that are left out stay as they are. A `config` replaces the old one, except that a secret which is
 * left out, or sent as the mask it was answered with, is kept; null takes it away. `type` may be repeated but not
 * changed.
 */
export class UpdateDestinationDto extends PartialType(CreateDestinationDto, { skipNullProperties: false }) {}
