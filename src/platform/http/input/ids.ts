import { applyDecorators, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsArray, IsUUID, isUUID, type ValidationOptions } from 'class-validator';

/*
 * Ids of what the service has made: UUIDs. They may be given in any case; from here on they are as PostgreSQL writes
 * them, since they are compared as texts.
 */

/** A member that is an id. */
export function IsId(options?: ValidationOptions): PropertyDecorator {
  return applyDecorators(IsUUID(undefined, options), LowerIds());
}

/** A member that is a list of ids. */
export function IsIds(): PropertyDecorator {
  return applyDecorators(IsArray(), IsUUID(undefined, { each: true }), LowerIds());
}

/** The `:id` of a path. What is not an id stays as it is: nothing is found under it. */
export class PathIdPipe implements PipeTransform {
  transform(value: unknown, { type, data }: ArgumentMetadata): unknown {
    return type === 'param' && data === 'id' ? lowerId(value) : value;
  }
}

function LowerIds(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? value.map(lowerId) : lowerId(value),
  );
}

function lowerId(given: unknown): unknown {
  return isUUID(given) ? (given as string).toLowerCase() : given;
}
