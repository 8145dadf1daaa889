import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';

describe('the examples of events', () => {
  it("are of the user of README's first event, whom whoever follows it has", () => {
    const readme = readFileSync(join(__dirname, '../../../README.md'), 'utf8');
    expect(/"userId": "(\w+)"/.exec(readme)?.[1]).toBe(EXAMPLE_IDS.user);
  });
});
