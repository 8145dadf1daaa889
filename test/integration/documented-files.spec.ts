import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EXAMPLE_NAMES } from '../../src/platform/openapi/example-ids';

const ROOT = join(__dirname, '../..');
const sources = ['src', 'test', 'console'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
);
const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...pagesIn('docs'), ...pagesIn('docs/decisions')];

function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md') && name !== 'write-a-connector.md')
    .map((name) => `${folder}/${name}`);
}

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** The files and folders of a folder, specs aside. */
function entriesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).filter((name) => !name.endsWith('.spec.ts'));
}

describe('the pages for people who change the service', () => {
  it.each(pages)('%s names files that are there', (page) => {
    const named = [...read(page).matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file);
    const missing = named.filter((file) => !sources.some((path) => `/${path}`.endsWith(`/${file}`)));
    expect(missing).toEqual([]);
  });

  it('show the whole of src/ in the layout', () => {
    const [, layout = ''] = /## Layout\n\n```\n(.*?)```/s.exec(read('ARCHITECTURE.md')) ?? [];
    const entries = [...entriesOf('src'), ...entriesOf('src/platform')].map((name) => basename(name));
    const names = new Set(layout.split(/[\s,:/()]+/));
    expect(entries.filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(['ingestion', 'segments', 'delivery'])('name every room of %s/', (part) => {
    const [, rooms = ''] =
      new RegExp(`\n\`${part}/\` is .*?:\n\n(\\|.*?)\n\n`, 's').exec(read('ARCHITECTURE.md')) ?? [];
    const folders = readdirSync(join(ROOT, 'src', part), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map(({ name }) => `\`${name}/\``).filter((name) => !rooms.includes(name))).toEqual([]);
  });
});

describe('the pages for people who try the service', () => {
  it.each(['README.md', ...pagesIn('docs')])(
    '%s makes nothing that examples of Swagger UI change',
    (page) => {
      const examples = new Set<string>(Object.values(EXAMPLE_NAMES));
      const made = [...read(page).matchAll(/\bname"?: "?([^"\n,}]+)/g)].map(([, name = '']) => name.trim());
      expect(made.filter((name) => examples.has(name))).toEqual([]);
    },
  );
});
