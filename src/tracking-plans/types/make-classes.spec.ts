import type { EventType } from '../../events/customer-event';
import type { PlanRule } from '../language/plan';
import { schemasByClass } from './make-classes';

describe('schemasByClass', () => {
  it('gives each rule a class of its own, also where a track is called like a page', () => {
    const rules = [
      ruleOf('track', 'page Home', 'a'),
      ruleOf('track', 'identify traits', 'b'),
      ruleOf('page', 'Home', 'c'),
      ruleOf('identify', undefined, 'd'),
    ];
    const schemas = schemasByClass({ rules, unplannedEvents: 'allow', unplannedProperties: 'allow' });
    expect([...schemas].map(([name, { properties }]) => [name, Object.keys(properties ?? {})])).toEqual([
      ['page Home', ['a']],
      ['identify traits', ['b']],
      ['page page Home', ['c']],
      ['identify identify traits', ['d']],
    ]);
  });
});

function ruleOf(type: EventType, event: string | undefined, member: string): PlanRule {
  const below = { properties: { [member]: { type: 'string' } } };
  const schema = { properties: { properties: below, traits: below } };
  return { type, ...(event === undefined ? {} : { event }), schema, onViolation: 'observe' };
}
