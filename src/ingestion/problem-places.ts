import { withoutIndexes } from '../tracking-plans/language/place';

/** That are told apart of a source in an hour, at least. A tracking plan and the protocol have far fewer at fault. */
const MAX_PLACES = 200;
const HOUR_MS = 60 * 60_000;
/** Of the protocol; below them are names that clients make up. */
const MEMBERS = new Set(['properties', 'traits', 'context', 'integrations']);

/**
 * Names places in events by which problems are counted: `properties.products[].price`. Clients make some of the names up,
 * as ids that are keys: what is beyond a bound is one place, `properties.*`.
 */
export class ProblemPlaces {
  private hour = -1;
  private readonly bySource = new Map<string, Set<string>>();

  nameOf(path: string, sourceId: string): string {
    const place = withoutIndexes(path);
    const places = this.placesOf(sourceId);
    if (places.size < MAX_PLACES) places.add(place);
    return places.has(place) ? place : othersOf(place);
  }

  private placesOf(sourceId: string): Set<string> {
    const hour = Math.floor(Date.now() / HOUR_MS);
    if (hour !== this.hour) this.bySource.clear();
    this.hour = hour;
    let places = this.bySource.get(sourceId);
    if (places === undefined) this.bySource.set(sourceId, (places = new Set()));
    return places;
  }
}

function othersOf(place: string): string {
  const [member = ''] = place.split(/[.[]/, 1);
  return MEMBERS.has(member) ? `${member}.*` : '*';
}
