import { withoutIndexes } from '../tracking-plans/language/violation-path';
import { BoundedNames } from './bounded-names';

/** Of the protocol; below them are names that clients make up. */
const MEMBERS = new Set(['properties', 'traits', 'context', 'integrations']);

/**
 * Names paths in events by which problems are counted: `properties.products[].price`. Clients make some of the names
 * up, as ids that are keys: what is beyond a bound is one path, `properties.*`.
 */
export class BoundedPaths {
  private readonly paths = new BoundedNames(othersOf);

  nameOf(path: string, sourceId: string): string {
    return this.paths.nameOf(withoutIndexes(path), sourceId);
  }
}

function othersOf(path: string): string {
  const [member = ''] = path.split(/[.[]/, 1);
  return MEMBERS.has(member) ? `${member}.*` : '*';
}
