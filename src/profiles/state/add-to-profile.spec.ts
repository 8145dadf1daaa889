import * as fc from 'fast-check';
import type { CustomerEvent } from '../../events/customer-event';
import { asEvents, randomHistory } from '../../../test/support/random-history';
import { addToProfile, deltaOf, emptyProfile } from './add-to-profile';
import { addEvent, emptyDelta, type ProfileDelta } from './profile-delta';
import type { ProfileLimits } from './profile-limits';
import { factsOf } from './profile-row';
import type { StoredProfile } from './stored-profile';

const UNLIMITED: ProfileLimits = {
  maxTraitBytes: 100_000,
  maxTraitKeys: 1_000,
  maxEventNames: 1_000,
  maxEventNameBytes: 100_000,
  maxGroups: 1_000,
  maxIds: 1_000,
};
const TIGHT: ProfileLimits = {
  maxTraitBytes: 20,
  maxTraitKeys: 2,
  maxEventNames: 2,
  maxEventNameBytes: 1_000,
  maxGroups: 1,
  maxIds: 2,
};

const events = randomHistory(false).map((shapes) => asEvents(shapes, ''));
const cut = fc.integer({ min: 0, max: 40 });

const deltaFrom = (all: readonly CustomerEvent[]): ProfileDelta => {
  const delta = emptyDelta();
  for (const event of all) addEvent(delta, event);
  return delta;
};

const profileOf = (all: readonly CustomerEvent[], before = emptyProfile('u:one', false)): StoredProfile =>
  addToProfile(before, [deltaFrom(all)], UNLIMITED).after;

/** Without the order of keys. */
const contentsOf = (row: StoredProfile): unknown => ({
  ...row,
  groups: factsOf(row).groups,
  traits: JSON.parse(row.traits) as unknown,
  trait_clocks: JSON.parse(row.trait_clocks) as unknown,
  event_totals: JSON.parse(row.event_totals) as unknown,
});

describe('addToProfile', () => {
  it('comes to the same in every order, at once or event by event', () => {
    fc.assert(
      fc.property(events, (all) => {
        const atOnce = contentsOf(profileOf(all));
        const backwards = all.toReversed();
        const oneByOne = backwards.reduce(
          (row, event) => profileOf([event], row),
          emptyProfile('u:one', false),
        );
        expect(contentsOf(oneByOne)).toEqual(atOnce);
      }),
    );
  });

  it('adds a whole profile as it adds the events of it', () => {
    fc.assert(
      fc.property(events, cut, (all, at) => {
        const other = deltaOf(profileOf(all.slice(at)));
        const merged = addToProfile(profileOf(all.slice(0, at)), [other], UNLIMITED).after;
        expect(contentsOf(merged)).toEqual(contentsOf(profileOf(all)));
      }),
    );
  });

  it('says which traits have another value, and only those', () => {
    fc.assert(
      fc.property(events, cut, (all, at) => {
        const before = profileOf(all.slice(0, at));
        const { after, changedTraits } = addToProfile(before, [deltaFrom(all.slice(at))], UNLIMITED);
        const [was, is] = [before, after].map((row) => JSON.parse(row.traits) as Record<string, unknown>);
        const keys = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})]);
        const own = (traits: object | undefined, key: string): unknown =>
          Object.getOwnPropertyDescriptor(traits ?? {}, key)?.value;
        const differing = [...keys].filter(
          (key) => JSON.stringify(own(was, key)) !== JSON.stringify(own(is, key)),
        );
        expect([...changedTraits].sort()).toEqual(differing.sort());
      }),
    );
  });

  it('keeps its limits, and counts every event all the same', () => {
    fc.assert(
      fc.property(events, cut, (all, at) => {
        const deltas = [deltaFrom(all.slice(0, at)), deltaFrom(all.slice(at))];
        const { after, countsName } = addToProfile(emptyProfile('u:one', false), deltas, TIGHT);
        const names = Object.keys(JSON.parse(after.event_totals) as object);
        expect(after.event_count).toBe(all.length);
        expect(names.length).toBeLessThanOrEqual(2);
        expect(names.every(countsName)).toBe(true);
        expect(after.groups?.length ?? 0).toBeLessThanOrEqual(1);
        expect(after.traits.length).toBeLessThanOrEqual(20);
        expect(Object.keys(JSON.parse(after.trait_clocks) as object).length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
