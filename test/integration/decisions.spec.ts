import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../docs/decisions');
const files = readdirSync(FOLDER).filter((name) => /^\d/.test(name));
const index = readFileSync(join(FOLDER, 'README.md'), 'utf8');

describe('docs/decisions', () => {
  it('have a number each', () => {
    const numbers = files.map((name) => name.slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  it.each(files)('%s begins with number, title, date and status, and is listed', (name) => {
    const number = name.slice(0, 4);
    const [title, , status] = readFileSync(join(FOLDER, name), 'utf8').split('\n');
    expect(title).toMatch(new RegExp(`^# ${number} \\S`));
    expect(status).toMatch(/^Date: \d{4}-\d{2}-\d{2}\. Status: (accepted|replaced by \d{4})\.$/);
    expect(index).toContain(`- [${number}](${name})`);
  });
});
