import { withoutIndexes } from '../tracking-plans/language/place';
import { BoundedNames } from './bounded-names';

/** Of the protocol; below them are names that clients make up. */
const MEMBERS = new Set(['properties', 'traits', 'context', 'integrations']);

/**
 * Names places in events by which problems are counted: `properties.products[].price`. Clients make some of the names
 * up, as ids that are keys: what is beyond a bound is one place, `properties.*`.
 */
export class ProblemPlaces {
  private readonly places = new BoundedNames(othersOf);

  nameOf(path: string, sourceId: string): string {
    return this.places.nameOf(withoutIndexes(path), sourceId);
  }
}

function othersOf(place: string): string {
  const [member = ''] = place.split(/[.[]/, 1);
  return MEMBERS.has(member) ? `${member}.*` : '*';
}
