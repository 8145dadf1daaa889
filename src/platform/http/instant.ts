import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Matches, ValidateBy, type ValidationArguments } from 'class-validator';

/** A day, or a day and a time with an offset or none. Other forms of ISO 8601, such as 2026-W47, PostgreSQL cannot read. */
const GIVEN = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
const READ = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A point in time in ISO 8601, in UTC when it has no offset. The handler gets it as `2026-01-31T12:00:00.000Z`. */
export function IsInstant(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? instantOf(value) : value)),
    Matches(READ, { message: '$property must be ISO 8601, like 2026-01-31T12:00:00Z' }),
  );
}

/** Refuses a point in time that lies before that of the member `from`. Both are {@link IsInstant}, so their texts sort. */
export function IsNotBefore(from: string): PropertyDecorator {
  return ValidateBy({
    name: 'isNotBefore',
    validator: {
      validate: (to: unknown, args?: ValidationArguments) => {
        const start = (args?.object as Record<string, unknown> | undefined)?.[from];
        return !isRead(start) || !isRead(to) || start <= to;
      },
      defaultMessage: () => `$property must not be before ${from}`,
    },
  });
}

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
