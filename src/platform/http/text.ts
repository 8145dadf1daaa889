import { applyDecorators } from '@nestjs/common';
import { IsString, Length, Matches } from 'class-validator';

/** A string of `min` to `max` characters that PostgreSQL can store (no NUL) and that is not only white space. */
export function IsText(min: number, max: number): PropertyDecorator {
  return applyDecorators(
    IsString(),
    Length(min, max),
    // oxlint-disable-next-line no-control-regex -- NUL is exactly what must not come in.
    Matches(min > 0 ? /^[^\u0000]*[^\s\u0000][^\u0000]*$/ : /^[^\u0000]*$/, {
      message:
        min > 0
          ? '$property must not be blank or hold NUL characters'
          : '$property must not hold NUL characters',
    }),
  );
}
