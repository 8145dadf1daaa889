import * as fc from 'fast-check';
import { groupMeasures } from './measure-groups';
import { eventsKey, type MeasureField, stepsKey } from '../predicate';

function aMeasure(event: string, total: number, unit: 'day' | 'hour' = 'day'): MeasureField {
  const [where] = [[{ field: 'properties.total', operator: 'gt', value: total }]];
  return {
    kind: 'measure',
    measure: { event, where, aggregate: 'count' },
    window: { unit, count: 30 },
  } as unknown as MeasureField;
}

const measure = fc
  .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 30 }), fc.boolean())
  .map(([event, total, isDay]) => aMeasure(`Event ${event}`, total, isDay ? 'day' : 'hour'));

describe('measures that are read together', () => {
  it('are the same, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(measure), fc.gen(), (fields, gen) => {
        const shuffled = gen(fc.shuffledSubarray, fields, { minLength: fields.length });
        expect(groupMeasures(shuffled)).toEqual(groupMeasures(fields));
      }),
    );
  });

  it('have windows of one unit, and have with them those of the same name', () => {
    fc.assert(
      fc.property(fc.array(measure), (fields) => {
        const groups = groupMeasures(fields);
        const groupOf = new Map<string, unknown>();
        for (const field of fields) {
          const group = groups.get(stepsKey(field));
          expect(group?.unit).toBe(field.window.unit);
          expect(group?.measures.get(stepsKey(field))).toEqual(field.measure);
          expect(groupOf.get(eventsKey(field)) ?? group).toBe(group);
          groupOf.set(eventsKey(field), group);
        }
      }),
    );
  });

  it('are few where names have few, and no larger where a name has many', () => {
    const few = Array.from({ length: 50 }, (_, n) => aMeasure(`Event ${n}`, 1));
    expect(new Set(groupMeasures(few).values()).size).toBe(4);
    const many = Array.from({ length: 40 }, (_, n) => aMeasure('Event 7', n));
    const groups = new Set(groupMeasures([...few, ...many]).values());
    expect(groups.size).toBe(5);
    expect(Math.max(...Array.from(groups, ({ measures }) => measures.size))).toBe(32);
    const asked = Array.from({ length: 20 }, () => few).flat();
    expect(new Set(groupMeasures(asked).values()).size).toBe(4);
  });
});
