import { HELD_OF_PEOPLE } from '../../src/privacy/held-of-people';
import { type ConnectedDatabase, connectTestDatabase } from '../support/test-database';

/** Tables of people that are not in the list, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  inbox: 'who the person is depends on what waits: an erasure looks at it first, see erase-person.ts',
  erasure: 'the note that a person is being erased: goes with its end',
};

/** Partitions aside, which are found in their table. */
const tablesOfPeopleSql = `
  select distinct c.relname as name
  from pg_class as c join pg_attribute as a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attname in ('subject', 'subjects') and not a.attisdropped`;

describe('what is held of people', () => {
  let test: ConnectedDatabase;

  beforeAll(async () => {
    test = await connectTestDatabase();
  });
  afterAll(() => test.drop());

  it('has each table that says of whom its rows are', async () => {
    const { rows } = await test.client.query<{ name: string }>(tablesOfPeopleSql);
    const listed = [...HELD_OF_PEOPLE.map(({ table }) => table), ...Object.keys(EXCEPTIONS)];
    expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });
});
