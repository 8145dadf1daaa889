import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Matches, ValidateBy, type ValidationArguments } from 'class-validator';
import { Optional } from './optional';

/**
 * A day, or a day and a time with an offset or none. Other forms of ISO 8601, such as 2026-W47, PostgreSQL cannot read.
 */
const GIVEN = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
const READ = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A point in time in ISO 8601, in UTC when it has no offset. The handler gets it as `2026-01-31T12:00:00.000Z`. */
export function IsInstant(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? instantOf(value) : value)),
    Matches(READ, { message: '$property must be ISO 8601, like 2026-01-31T12:00:00Z' }),
  );
}

/** The member `from` of what asks for a range of time, which may be left out. */
export function RangeStart(description: string): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ format: 'date-time', description }), Optional(), IsInstant());
}

/** The member `to`, which may be left out, too; not before `from`. */
export function RangeEnd(description: string): PropertyDecorator {
  return applyDecorators(
    RangeStart(description),
    ValidateBy({ name: 'isNotBefore', validator: notBeforeFrom }),
  );
}

/** Both are {@link IsInstant}, so their texts sort. */
const notBeforeFrom = {
  validate: (to: unknown, args?: ValidationArguments): boolean => {
    const { from } = { from: undefined, ...args?.object } as { from: unknown };
    return !isRead(from) || !isRead(to) || from <= to;
  },
  defaultMessage: () => '$property must not be before from',
};

function isRead(value: unknown): value is string {
  return typeof value === 'string' && READ.test(value);
}

/** Returns the text itself when it is no point in time. */
function instantOf(text: string): string {
  const [, day = '', offset] = GIVEN.exec(text) ?? [];
  const ms = Date.parse(text.length === day.length || offset !== undefined ? text : `${text}Z`);
  const isOfCalendar = new Date(Date.parse(day) || 0).toISOString().startsWith(day);
  return day === '' || Number.isNaN(ms) || !isOfCalendar ? text : new Date(ms).toISOString();
}
