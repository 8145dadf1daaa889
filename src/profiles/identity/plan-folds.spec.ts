import * as fc from 'fast-check';
import type { Subject } from '../../events/customer-event';
import { Identities } from './identities';
import type { Link } from './links';
import { planFolds } from './plan-folds';

const user = fc.constantFrom<Subject[]>('u:1', 'u:2', 'u:3');
const visitor = fc.constantFrom<Subject[]>('a:1', 'a:2', 'a:3');
const links: fc.Arbitrary<Link[]> = fc.array(
  fc.oneof(
    fc.record({ from: visitor, into: user, rule: fc.constant('first' as const) }),
    fc.record({ from: user, into: user, rule: fc.constant('always' as const) }),
  ),
  { maxLength: 12 },
);

describe('planFolds', () => {
  it('ends no profile that others go into, and points nowhere but to those that stay', () => {
    fc.assert(
      fc.property(links, (all) => {
        const { ended, pointers } = planFolds(all, new Identities(), 100);
        expect([...pointers.values()].filter((root) => ended.includes(root))).toEqual([]);
        expect(ended.every((subject) => pointers.has(subject))).toBe(true);
        expect(new Set(ended).size).toBe(ended.length);
      }),
    );
  });

  it('has nothing left to do when the same links come again', () => {
    fc.assert(
      fc.property(links, (all) => {
        const onlyFirst = all.filter(({ rule }) => rule === 'first');
        const plan = planFolds(onlyFirst, new Identities(), 100);
        const rows = Array.from(plan.pointers, ([subject, merged_into]) => ({ subject, merged_into }));
        expect(planFolds(onlyFirst, new Identities(rows), 100).pointers.size).toBe(0);
      }),
    );
  });

  it('gives no profile more ids than it may have', () => {
    fc.assert(
      fc.property(links, fc.integer({ min: 1, max: 5 }), (all, maxIds) => {
        const identities = new Identities();
        const { refused, pointers } = planFolds(all, identities, maxIds);
        const roots = new Set(pointers.values());
        for (const root of roots) expect(identities.membersOf(root).length + 1).toBeLessThanOrEqual(maxIds);
        expect(refused.every((link) => all.includes(link))).toBe(true);
      }),
    );
  });
});
