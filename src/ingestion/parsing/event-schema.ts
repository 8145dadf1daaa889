import type { Type } from '@nestjs/common';
import { Ajv, type ValidateFunction } from 'ajv';
import { EVENT_TYPES } from '../../events/customer-event';
import { validatorSchema } from '../../platform/openapi/validator-schema';
import { EVENT_KEYWORDS } from './event-rules';
import { EVENT_DTOS, PersonEventDto } from './event.dto';
import { type EventProblem, tellProblems } from './event-problem';
import type { SentMembers } from './read-members';

const ajv = new Ajv({
  allErrors: true,
  // `event-problem.ts` has them.
  messages: false,
  keywords: EVENT_KEYWORDS,
  // Types are said beside `anyOf`, not in each of its branches.
  strictTypes: false,
  // Characters are UTF-16 units, as in PostgreSQL's limits. The option is called deprecated at each start otherwise.
  unicode: false,
  logger: false,
});

const VALIDATORS: ReadonlyMap<unknown, ValidateFunction> = new Map(
  EVENT_TYPES.map((type) => [type, compile(EVENT_DTOS[type])]),
);
const OF_UNKNOWN_TYPE = compile(PersonEventDto);

/** Checks the members of an event by the schema of its class, and says all that is wrong with them. */
export function checkMembers(members: SentMembers): readonly EventProblem[] {
  const validate = VALIDATORS.get(members.type) ?? OF_UNKNOWN_TYPE;
  return validate(members) ? NONE : tellProblems(validate.errors ?? [], members);
}

const NONE: readonly EventProblem[] = [];

function compile(dto: Type): ValidateFunction {
  return ajv.compile(validatorSchema(dto));
}
