import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsIn,
  IsInt,
  IsOptional,
  Max,
  Min,
  type ValidationOptions,
} from 'class-validator';
import { IsId, IsIds } from './ids';
import { Optional } from './optional';
import { IsText } from './text';

/*
 * Members of a body or query that may be left out. What is checked of one, and what Swagger shows of that, are said
 * once here; `shown` is the rest.
 */

/** A text as {@link IsText} takes it, of `min` to `max` characters. */
export function OptionalText(min: number, max: number, shown: ApiPropertyOptions = {}): PropertyDecorator {
  const length = min === 0 ? { maxLength: max } : { minLength: min, maxLength: max };
  return applyDecorators(ApiPropertyOptional({ ...length, ...shown }), Optional(), IsText(min, max));
}

/** A whole number. Those of a query come as texts: there `@Type(() => Number)` goes with it. */
export function OptionalInteger(min: number, max: number, shown: ApiPropertyOptions): PropertyDecorator {
  const range = { type: 'integer', minimum: min, maximum: max, ...shown } as ApiPropertyOptions;
  return applyDecorators(ApiPropertyOptional(range), Optional(), IsInt(), Min(min), Max(max));
}

/** An id of what the service has made. */
export function OptionalId(description?: string, options?: ValidationOptions): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ format: 'uuid', description }), Optional(), IsId(options));
}

/** Such ids, at least one. Null is as good as none. */
export function OptionalIds(shown: ApiPropertyOptions): PropertyDecorator {
  const options = { type: [String], nullable: true, ...shown } as ApiPropertyOptions;
  const isIds = [IsIds(), ArrayMaxSize(1_000), ArrayNotEmpty()];
  return applyDecorators(ApiPropertyOptional(options), ...isIds, IsOptional());
}

export function OptionalOneOf(values: readonly string[], shown: ApiPropertyOptions = {}): PropertyDecorator {
  const options = { enum: [...values], ...shown } as ApiPropertyOptions;
  return applyDecorators(ApiPropertyOptional(options), Optional(), IsIn(values));
}

/** `true` or `false` of a query. The handler gets it as a boolean. */
export function OptionalFlag(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, enum: ['true', 'false'], default: 'false', description }),
    Optional(),
    Transform(({ value }: { value: unknown }) => (value === 'false' ? false : value === 'true' || value)),
    IsIn([true, false]),
  );
}
