import { ValidateIf } from 'class-validator';

/** May be left out. Unlike `@IsOptional()` it does not let `null` in, which would mean nothing anywhere. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_, value: unknown) => value !== undefined);
}
