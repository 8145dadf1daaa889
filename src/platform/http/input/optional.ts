import { ValidateIf } from 'class-validator';

/**
 * The member may be left out. Unlike `@IsOptional()` this does not accept `null`, which has no meaning in any member.
 */
export function Optional(): PropertyDecorator {
  return ValidateIf((_, value: unknown) => value !== undefined);
}
