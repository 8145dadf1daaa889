import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import released from './released-migrations.json';

const FOLDER = join(__dirname, '..', '..', 'src', 'platform', 'database', 'migrations');
const BREAKS_THE_OLD_VERSION =
  /\b(drop\s+table|drop\s+column|rename\s+(to|column)|alter\s+column\s+\S+\s+(set\s+data\s+)?type|set\s+not\s+null)\b/i;

/** The table is made again under its name before anybody sees that it was gone. */
const CHANGED_OVER = /\balter table (\w+) rename to \w+(?=[\s\S]*\bcreate table \1 )/g;

/** Statements name tables and columns, never an index. */
const RENAMED_INDEX = /\balter index \w+ rename to \w+/g;

const hashes: Readonly<Record<string, string>> = released;

function read(file: string): string {
  return readFileSync(join(FOLDER, file), 'utf8');
}

/** What `up` does; `down` is for development. */
function upOf(source: string): string {
  return source.slice(source.indexOf('async up'), source.indexOf('async down'));
}

/** Whether the version before could not run on the tables that this migration makes. */
function breaksTheOldVersion(source: string): boolean {
  const up = upOf(source);
  return (
    BREAKS_THE_OLD_VERSION.test(up.replace(CHANGED_OVER, '').replace(RENAMED_INDEX, '')) &&
    !up.includes('-- contract: ')
  );
}

describe('migrations', () => {
  it('that are released are as they were released', () => {
    const now = Object.keys(hashes).map((file) => [
      file,
      createHash('sha256').update(read(file)).digest('hex'),
    ]);
    expect(Object.fromEntries(now)).toEqual(hashes);
  });

  it('that are new leave the version before running', () => {
    const fresh = readdirSync(FOLDER).filter((file) => /^\d+-.*\.ts$/.test(file) && !(file in hashes));
    expect(fresh.filter((file) => breaksTheOldVersion(read(file)))).toEqual([]);
  });

  it.each([
    ['alter table event drop column name', true],
    ['alter table event rename column name to title', true],
    ['alter table event alter column name set not null', true],
    ['-- contract: 1.3.0 reads it no more\nalter table event drop column name', false],
    ['alter table event add column place text', false],
    ['alter index event_pk rename to event_before_pk', false],
    ['alter table event rename to event_before', true],
    ['alter table event rename to event_before; create table event_after (id uuid)', true],
    ['alter table event rename to event_before; create table event (id uuid)', false],
  ])('with %j are told apart', (sql, breaks) => {
    expect(breaksTheOldVersion(`async up() { ${sql} } async down() { drop table event }`)).toBe(breaks);
  });
});
