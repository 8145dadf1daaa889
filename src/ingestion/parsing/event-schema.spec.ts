import 'reflect-metadata';
import type { ErrorObject } from 'ajv';
import { EVENT_TYPES } from '../../events/customer-event';
import { validatorSchema } from '../../platform/openapi/validator-schema';
import { tellProblems } from './event-problem';
import { EVENT_DTOS, PersonEventDto } from './event.dto';
import { DEFAULT_LIMITS } from './limits';
import { readMembers } from './read-members';

const members = readMembers(
  { type: 'track' },
  { receivedAtMs: 0, receivedAt: new Date(0).toISOString(), needsCleaning: false, limits: DEFAULT_LIMITS },
);

/** A rule that nothing is said about would refuse no event. */
describe('the rules of events', () => {
  const dtos = [...Object.values(EVENT_DTOS), PersonEventDto];
  it.each(dtos.map((dto) => [dto.name, dto] as const))('have words, each of them: %s', (_, dto) => {
    const { properties = {}, required = [], anyOf } = validatorSchema(dto);
    for (const member of Object.keys(properties)) {
      expect(members).toHaveProperty(member);
      expect({ member, told: told({ keyword: 'type', instancePath: `/${member}` }) }).toEqual({
        member,
        told: 1,
      });
    }
    for (const member of required) {
      const missing = { keyword: 'required', schemaPath: '#/required', params: { missingProperty: member } };
      expect({ member, told: told(missing) }).toEqual({ member, told: 1 });
    }
    const type = EVENT_TYPES.find((each) => EVENT_DTOS[each] === dto);
    expect(anyOf === undefined || told({ keyword: 'anyOf' }, type) === 1).toBe(true);
  });
});

function told(error: Partial<ErrorObject>, type: unknown = 'track'): number {
  const complete = { keyword: '', instancePath: '', schemaPath: '', params: {}, ...error };
  return tellProblems([complete], { ...members, type, timeMember: 'timestamp' }).length;
}
