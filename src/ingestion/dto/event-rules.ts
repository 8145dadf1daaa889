import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf, type ValidationArguments } from 'class-validator';
import type { Fields } from '../event-fields';
import { fitsBytes, idText, INVALID_ID, isAbsent, isNobody, readTime } from '../field-values';
import { MAX_ID_LENGTH, MAX_NAME_BYTES } from '../limits';

/** A member that may be missing, null or empty. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_event, value) => !isAbsent(value));
}

/** A string of 1 to `maxLength` characters; numbers that kept all their digits count as their text. */
export function IsIdText(maxLength: number): PropertyDecorator {
  return rule('isIdText', `$property must be a string of 1 to ${maxLength} characters`, (value) => {
    const id = idText(value);
    return id !== undefined && id !== INVALID_ID && id.length <= maxLength;
  });
}

/** A userId, anonymousId or the like; values that mean nobody are tolerated and count as absent. */
export function IsPersonId(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_event, value) => !isMissingId(value)),
    IsIdText(MAX_ID_LENGTH),
  );
}

/** An id that the event cannot do without. */
export function IsRequiredId(): PropertyDecorator {
  return applyDecorators(
    IsIdText(MAX_ID_LENGTH),
    rule('isSomebody', '$property must name somebody', (value) => !isMissingId(value)),
  );
}

/** On userId: without it there must be an anonymousId. */
export function IsUserIdUnlessAnonymous(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((event: Fields) => !isMissingId(event.userId) || isMissingId(event.anonymousId)),
    IsRequiredId(),
  );
}

export function IsIsoTime(): PropertyDecorator {
  return rule('isIsoTime', '$property must be an ISO 8601 time', (value) => readTime(value) !== undefined);
}

/** On timestamp: may be missing where originalTimestamp stands in its place. */
export function IsTimestampUnlessOriginal(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((event: Fields) => !isAbsent(event.timestamp) || isAbsent(event.originalTimestamp)),
    IsIsoTime(),
  );
}

/** On originalTimestamp: matters only where it stands in the place of timestamp. */
export function IsIsoTimeUnlessTimestamp(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((event: Fields) => isAbsent(event.timestamp) && !isAbsent(event.originalTimestamp)),
    IsIsoTime(),
  );
}

export function IsName(): PropertyDecorator {
  return rule(
    'isName',
    '$property must be a short string',
    (value) => typeof value === 'string' && fitsBytes(MAX_NAME_BYTES, value),
  );
}

/** An object; null and PHP's empty one, `[]`, count as absent. */
export function IsLooseObject(): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_event, value) => value !== undefined && value !== null),
    rule('isLooseObject', '$property must be a JSON object', (value) =>
      Array.isArray(value) ? value.length === 0 : typeof value === 'object',
    ),
  );
}

function isMissingId(value: unknown): boolean {
  const id = idText(value);
  return id === undefined || (id !== INVALID_ID && isNobody(id));
}

function rule(name: string, message: string, validate: (value: unknown) => boolean): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => validate(value),
      defaultMessage: (args?: ValidationArguments) =>
        message.replace('$property', args?.property ?? 'The value'),
    },
  });
}
