/** That are told apart of a source in an hour, at least. A tracking plan and the protocol have far fewer at fault. */
const MAX_NAMES = 200;
const HOUR_MS = 60 * 60_000;

/** Names by which something is counted. Clients make some of them up: what is beyond a bound has a name in common. */
export class BoundedNames {
  private hour = -1;
  private readonly bySource = new Map<string, Set<string>>();

  /** @param othersOf the name of those beyond the bound that are like this one; it has few values */
  constructor(private readonly othersOf: (name: string) => string) {}

  nameOf(name: string, sourceId: string): string {
    const names = this.namesOf(sourceId);
    if (names.size < MAX_NAMES) names.add(name);
    return names.has(name) ? name : this.othersOf(name);
  }

  private namesOf(sourceId: string): Set<string> {
    const hour = Math.floor(Date.now() / HOUR_MS);
    if (hour !== this.hour) this.bySource.clear();
    this.hour = hour;
    let names = this.bySource.get(sourceId);
    if (names === undefined) this.bySource.set(sourceId, (names = new Set()));
    return names;
  }
}
