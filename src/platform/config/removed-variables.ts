/** Variables of earlier versions: what holds in their place. */
const REMOVED_VARIABLES: Readonly<Record<string, string>> = {
  CDP_EVENTS_CONCURRENCY: 'a worker takes 2 jobs of events at a time',
  CDP_MAX_EVENT_DEPTH: 'objects and arrays of an event go 64 levels deep at most',
  CDP_MAX_ID_LENGTH: 'an id has 512 characters at most',
  CDP_MAX_MESSAGE_ID_LENGTH: 'a messageId has 255 characters at most',
  CDP_MAX_NAME_BYTES: 'a name has 1,024 bytes at most',
  CDP_PROFILE_MAX_EVENT_NAMES: 'a profile counts 1,000 event names at most one by one',
  CDP_PROFILE_MAX_GROUPS: 'a profile has 1,000 groups at most',
  CDP_PROFILE_MAX_IDS: 'a profile has 1,000 ids at most',
  CDP_PROFILE_MAX_TRAITS: 'a profile has 1,000 traits at most',
  CDP_PROFILE_MAX_TRAIT_BYTES: 'the traits of a profile have 65,536 bytes at most',
  CDP_SEGMENTS_MAX: 'there are 2,000 segments at most',
};

export function isRemoved(name: string): boolean {
  return Object.hasOwn(REMOVED_VARIABLES, name);
}

/** A sentence for each variable that is set and no longer read. */
export function removedAmong(given: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(REMOVED_VARIABLES).flatMap(([name, instead]) =>
    given[name] === undefined ? [] : [`${name} is set, but this version does not read it: ${instead}.`],
  );
}
