import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SRC = join(__dirname, '../../src');

/** Which part of the service may import which; everyone may import the platform. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  ingestion: ['sources', 'tracking-plans', 'events', 'profiles', 'segments', 'delivery'],
  // Makes events of what others post: they are checked and stored as those of SDKs are.
  hooks: ['ingestion', 'sources', 'transformations', 'events', 'profiles'],
  segments: ['profiles', 'events', 'language'],
  transformations: ['events'],
  profiles: ['events'],
  // Erases and exports what is kept of a person, memberships too, and tells destinations.
  privacy: ['profiles', 'events', 'tracking-plans', 'hooks', 'segments', 'delivery'],
  // Filters of destinations may ask for membership, transformations for the person.
  delivery: ['transformations', 'events', 'profiles', 'segments', 'destinations', 'connectors', 'language'],
  destinations: ['transformations', 'sources', 'events', 'segments', 'connectors', 'language'],
  connectors: ['events'],
  // Looks at all of them for what operators are to be told, and tells destinations.
  notices: ['sources', 'tracking-plans', 'events', 'segments', 'delivery', 'destinations', 'configuration'],
  // One document of all that is configured.
  configuration: [
    'sources',
    'tracking-plans',
    'transformations',
    'segments',
    'destinations',
    'connectors',
    'events',
  ],
  // Asks all of them what became of an event, and writes nothing that is theirs.
  inspector: ['sources', 'tracking-plans', 'events', 'profiles', 'segments', 'delivery', 'destinations'],
  // Serves files; what it shows goes through the API.
  console: [],
  // What connector packages test themselves with.
  testing: ['events', 'connectors'],
  // Whoever deletes a plan is told which sources have it.
  'tracking-plans': ['sources', 'events'],
  // Operators and what they compare with: of segment rules and of filters alike.
  language: ['events'],
  // What makes events of the requests of a webhook.
  sources: ['transformations'],
  events: [],
  platform: [],
  // Imports plans and makes types of them where developers work: both are plain functions.
  cli: ['tracking-plans', 'events'],
};

interface Import {
  readonly from: string;
  readonly to: string;
  /** Erased by the compiler: not there at run time. */
  readonly typeOnly: boolean;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
);
const imports = files.flatMap(importsOf);

describe('the layers of src/', () => {
  it('are all known', () => {
    const parts = new Set(files.filter((file) => file.includes('/')).map(partOf));
    expect([...parts].filter((part) => ALLOWED[part] === undefined)).toEqual([]);
  });

  it('import only what they may', () => {
    const forbidden = imports.filter(({ from, to }) => {
      const [part, other] = [partOf(from), partOf(to)];
      if (part === other || other === 'platform' || !from.includes('/')) return false;
      return !(ALLOWED[part] ?? []).includes(other);
    });
    expect(forbidden).toEqual([]);
  });

  it('import what they may, and no more is allowed', () => {
    const used = new Set(imports.map(({ from, to }) => `${partOf(from)} ${partOf(to)}`));
    const allowed = Object.entries(ALLOWED).flatMap(([part, others]) =>
      others.map((other) => `${part} ${other}`),
    );
    expect(allowed.filter((way) => !used.has(way))).toEqual([]);
  });

  it('import each other as ARCHITECTURE.md shows it', () => {
    const page = readFileSync(join(SRC, '..', 'ARCHITECTURE.md'), 'utf8');
    const wayOf = (part: string, others: readonly string[]): string =>
      `${part} ─▶ ${others.toSorted().join(', ')}`;
    const drawn = [...page.matchAll(/^([a-z-]+) ─▶ ([a-z, -]+)$/gm)].map(([, part = '', others = '']) =>
      wayOf(part, others.split(', ')),
    );
    const importing = Object.entries(ALLOWED).filter(([, others]) => others.length > 0);
    expect(drawn.toSorted()).toEqual(importing.map(([part, others]) => wayOf(part, others)).toSorted());
  });

  it('have their routes in api/, or at the root of a module without rooms', () => {
    const controllers = files.filter(
      (file) => file.endsWith('.controller.ts') && partOf(file) !== 'platform',
    );
    expect(controllers.filter((file) => !/^[^/]+\/(?:.*\/)?api\/[^/]+$|^[^/]+\/[^/]+$/.test(file))).toEqual(
      [],
    );
  });

  it('contain no file that imports itself in a circle, types aside', () => {
    const targets = groupByFrom();
    expect(files.flatMap((file) => circleFrom(file, targets) ?? [])).toEqual([]);
  });

  it('read the configuration by sections, not by the names of the environment', () => {
    const byName =
      /\b(?:process\.env\b|\w+\.env\.(?:CDP_|OTEL_|PORT|HOST|NODE_ENV)|\{ env \}: Config)|\b(?:config|given)\.env\b/;
    const readers = files.filter((file) =>
      byName.test(withoutComments(readFileSync(join(SRC, file), 'utf8'))),
    );
    expect(readers.filter((file) => !file.startsWith('platform/config/'))).toEqual([]);
  });

  it('judge errors of PostgreSQL in one place', () => {
    const sqlState = /'(?:08|2[1-8]|3D|40|42|5[34578]|P0|XX)[0-9A-Z]{3}'/;
    const judges = files.filter((file) => sqlState.test(readFileSync(join(SRC, file), 'utf8')));
    expect(judges).toEqual(['platform/database/failure.ts']);
  });
});

/** Whose table each one is: the module has the statements that name it. */
const OWNERS: Readonly<Record<string, string>> = {
  audit_entry: 'platform',
  idempotency_key: 'platform',
  source: 'sources',
  source_heard: 'sources',
  source_change: 'sources',
  tracking_plan: 'tracking-plans',
  tracking_plan_version: 'tracking-plans',
  tracking_plan_change: 'tracking-plans',
  transformation: 'transformations',
  transformation_version: 'transformations',
  quarantined_event: 'tracking-plans',
  plan_violation_minute: 'tracking-plans',
  destination: 'destinations',
  destination_change: 'destinations',
  connector_cursor: 'connectors',
  event: 'events',
  message_id: 'events',
  inbox: 'events',
  dead_event: 'events',
  rejected_event: 'events',
  rejected_count: 'events',
  event_minute: 'events',
  tail_listener: 'events',
  tail_entry: 'events',
  hook_request: 'hooks',
  profile: 'profiles',
  profile_day: 'profiles',
  customer_group: 'profiles',
  pseudonym_key: 'profiles',
  suppression: 'profiles',
  erased_id: 'profiles',
  erasure: 'privacy',
  computed_trait: 'segments',
  computed_value: 'segments',
  kept_trait: 'segments',
  trait_use: 'segments',
  segment: 'segments',
  segment_revision: 'segments',
  segment_task: 'segments',
  segment_member: 'segments',
  segment_member_count: 'segments',
  live_segment_member: 'segments',
  group_evaluation: 'segments',
  delivery: 'delivery',
  delivery_attempt: 'delivery',
  delivery_batch: 'delivery',
  delivery_minute: 'delivery',
  delivery_upkeep: 'delivery',
  destination_health: 'delivery',
  destination_rate: 'delivery',
  delivery_worker: 'delivery',
  replay: 'delivery',
  newly_dead: 'delivery',
  notice_look: 'notices',
  told_state: 'notices',
};

/**
 * Statements that name the table of another module, by file. This list only shrinks: an entry that is no longer
 * needed fails the test. New code asks the owner.
 */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // A delivery is claimed and batched together with its event, in one statement: a second one would double the reads
  // of the hot path.
  'delivery/batches/batch-events.ts': ['event'],
  'delivery/batches/batch-closer.ts': ['event'],
  'delivery/ledger/batches/split-batch.ts': ['event'],
  'delivery/ledger/claiming/claim-deliveries.ts': ['destination_change', 'event'],
  // What is asked every second, or for every scrape, is one walk over what is pending and the destinations it is for.
  'delivery/metrics/backlog.metrics.ts': ['destination'],
  'delivery/ledger/waiting/find-backlogs.ts': ['destination'],
  // Whether a destination is there and enabled counts at the moment of the statement and is locked with it.
  'delivery/breaker/destination-health.ts': ['destination'],
  'delivery/breaker/destination-disabler.ts': ['destination'],
  // Rules become SQL over profiles, their counts of days and the traits of groups, page by page.
  'segments/computing/compute-blocks.ts': ['profile'],
  'segments/membership/reevaluate-due.ts': ['profile'],
  'segments/membership/reevaluate-group.ts': ['profile'],
  'segments/explaining/name-warnings.ts': ['customer_group', 'profile'],
  'segments/rules/sql/field-to-sql.ts': ['customer_group', 'profile_day'],
  'segments/rules/sql/next-change-to-sql.ts': ['profile_day'],
  'segments/rules/sql/rule-to-sql.ts': ['customer_group'],
  'segments/explaining/segment-explanation.ts': ['profile'],
  'segments/explaining/preview-people.ts': ['profile'],
  'segments/reading/segments-of.ts': ['profile'],
  'segments/computing/settle-members.ts': ['profile'],
};

/** SQL is written in small letters here. */
const SQL_NAME = /\b(?:from|join|into|update|using|table|truncate|only)\s+(?:only\s+)?"?([a-z_]+)\b/g;

describe('the tables', () => {
  const migrations = files.filter((file) => file.startsWith('platform/database/migrations/'));

  it('all have an owner', () => {
    const created = migrations.flatMap((file) =>
      [...read(file).matchAll(/\bcreate (?:unlogged )?(?:table|view) ([a-z_]+)/g)].map(([, table]) => table),
    );
    expect(new Set(created)).toEqual(new Set(Object.keys(OWNERS)));
    expect(Object.values(OWNERS).filter((owner) => ALLOWED[owner] === undefined)).toEqual([]);
  });

  it('are named by statements of their owners only, the listed exceptions aside', () => {
    const foreign = files
      .filter((file) => !migrations.includes(file))
      .map((file) => [file, foreignTablesIn(file)] as const)
      .filter(([, tables]) => tables.length > 0);
    expect(Object.fromEntries(foreign)).toEqual(EXCEPTIONS);
  });
});

describe('prepared statements', () => {
  it('have names of their own', () => {
    const prepared = /\bprepared\('([^']+)'|\bname: '([^']+)',\s*(?:limitMs: \w+,\s*)?text:/g;
    const names = files.flatMap((file) =>
      [...read(file).matchAll(prepared)].map(([, tag, name]) => tag ?? name),
    );
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

/** Statements that write the ledger. */
const WRITES =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?(?:delivery|delivery_attempt|delivery_batch)\b/i;
const LEDGER = 'delivery/ledger/';

describe('the ledger of deliveries', () => {
  const sources = files.filter((file) => !file.startsWith('platform/database/migrations/'));
  const writers = sources.filter((file) => WRITES.test(read(file)));

  it('is written by its own files only', () => {
    expect(writers.filter((file) => !file.startsWith(LEDGER))).toEqual([]);
    expect(writers.length).toBeGreaterThan(15);
  });

  it('changes by transitions that each have a file', () => {
    const untold = writers.filter(
      (file) => transitionsIn(file).length === 0 && file !== `${LEDGER}recording/try-log.ts`,
    );
    expect(untold).toEqual([]);
  });

  it('is as the diagram in ARCHITECTURE.md shows it', () => {
    const page = readFileSync(join(SRC, '..', 'ARCHITECTURE.md'), 'utf8');
    const [deliveries = '', batches = ''] = [...page.matchAll(/```mermaid\nstateDiagram-v2\n(.*?)```/gs)].map(
      ([, diagram]) => diagram ?? '',
    );
    const drawn = [...arrowsIn(deliveries, ''), ...arrowsIn(batches, 'batch: ')];
    expect(drawn.toSorted()).toEqual(sources.flatMap(transitionsIn).toSorted());
  });
});

function read(file: string): string {
  return readFileSync(join(SRC, file), 'utf8');
}

/** The tables of other modules that a file names in its SQL, in alphabetical order. */
function foreignTablesIn(file: string): string[] {
  const named = [...withoutProse(withoutComments(read(file))).matchAll(SQL_NAME)].map(
    ([, name]) => name ?? '',
  );
  return [...new Set(named)]
    .filter((name) => OWNERS[name] !== undefined && OWNERS[name] !== partOf(file))
    .toSorted();
}

/** The transitions that a file says it makes: `pending --> dead: expire-deliveries`. */
function transitionsIn(file: string): string[] {
  const name = file.replace(/^.*\//, '').replace(/\.ts$/, '');
  return [...read(file).matchAll(/@transition (.* --> \S+)/g)].map(([, change]) => `${change}: ${name}`);
}

/** Those that a diagram draws. */
function arrowsIn(diagram: string, kind: string): string[] {
  return [...diagram.matchAll(/^ *(\S+ --> \S+): (.*)$/gm)].flatMap(([, change, names]) =>
    (names ?? '').split(', ').map((name) => `${kind}${change}: ${name}`),
  );
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

/** Messages begin with a capital letter, SQL does not. */
function withoutProse(text: string): string {
  return text.replaceAll(/`[A-Z][^`\n]*`|'[A-Z][^'\n]*'/g, '');
}

function partOf(file: string): string {
  return file.split('/', 1)[0] ?? '';
}

/** The files that a file imports, as paths below src/. */
function importsOf(from: string): Import[] {
  const text = readFileSync(join(SRC, from), 'utf8');
  const statements = text.matchAll(/^(?:import|export)( type)?\b[^;]*?from '(\.[^']+)';/gms);
  return [...statements].map(([, type, specifier]) => ({
    from,
    to: resolveFile(join(dirname(from), specifier ?? '')),
    typeOnly: type !== undefined,
  }));
}

function resolveFile(path: string): string {
  const candidates = [`${path}.ts`, join(path, 'index.ts')];
  const found = candidates.find((candidate) => files.includes(candidate));
  if (found === undefined) throw new Error(`${relative(SRC, path)} is imported but is not there.`);
  return found;
}

function groupByFrom(): Map<string, string[]> {
  const targets = new Map<string, string[]>();
  for (const { from, to, typeOnly } of imports) {
    if (!typeOnly) targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  return targets;
}

/** A way from a file back to itself, if there is one. */
function circleFrom(start: string, targets: ReadonlyMap<string, readonly string[]>): string | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const next of targets.get(file) ?? []) {
      if (next === start) return `${start} <- ${file}`;
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}
