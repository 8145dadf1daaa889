import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HELD_OF_PEOPLE } from './held-of-people';

describe('the kinds of lines in an export', () => {
  it('are in docs/privacy.md in their order', () => {
    const text = readFileSync(join(__dirname, '../../docs/privacy.md'), 'utf8');
    const [, ...documented] = [...text.matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind);
    expect(documented).toEqual(HELD_OF_PEOPLE.flatMap(({ exported }) => exported?.kind ?? []));
  });
});
