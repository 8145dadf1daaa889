// @ts-check
// What it costs to find the destinations of one event among 1,000.
//   npm run bench -- routing
import { RoutingTable } from '#dist/delivery/routing/routing-table';
import { parseFilter } from '#dist/destinations/filter/parse-filter';

const DESTINATIONS = 1_000;
const EVENTS = 1_000;
const ROUNDS = 21;
const TARGET_US = 50;

const NAMES = Array.from({ length: 200 }, (_, i) => `Event ${i}`);
const SEGMENT = '0190a1b2-0000-7000-8000-000000000001';

/** Each case: what destination i wants. `NEW NAMES` are cases in which no two events have the same name. */
const NEW_NAMES = 'every name a new one: ';
const CASES = {
  'no restriction at all (every destination matches)': () => undefined,
  'one event name each': (i) => ({ events: [NAMES[i % NAMES.length]] }),
  'one pattern each': (i) => ({ events: [`Event ${i % 100}*`] }),
  'one pattern each, with its * in the middle': (i) => ({ events: [`Ev*t ${i}`] }),
  'one pattern each, *…*': (i) => ({ events: [`*nt ${i}*`] }),
  [`${NEW_NAMES}one pattern each, with its * in the middle`]: (i) => ({ events: [`Ev*t ${i}`] }),
  [`${NEW_NAMES}one pattern each, *…*`]: (i) => ({ events: [`*nt ${i}*`] }),
  'a name and a condition each': (i) => ({
    events: [NAMES[i % NAMES.length]],
    conditions: [{ field: 'properties.amount', operator: 'gte', value: i % 500 }],
  }),
  'ten conditions shared by all': (i) => ({
    conditions: [{ field: 'properties.amount', operator: 'gte', value: (i % 10) * 50 }],
  }),
  'a condition of its own each, on one of 20 paths': (i) => ({
    conditions: [{ field: `properties.p${i % 20}`, operator: 'eq', value: `v${i}` }],
  }),
  'a range of its own each, on one of 20 paths': (i) => ({
    conditions: [{ field: `properties.q${i % 20}`, operator: 'gte', value: i }],
  }),
  'members of a segment, types and a condition': (i) => ({
    types: i % 2 === 0 ? ['track'] : ['page', 'screen'],
    segments: [SEGMENT],
    conditions: [{ field: 'context.locale', operator: 'in', value: ['de', `x${i}`] }],
  }),
};

/** @returns {any[]} members that no route looks at are left out */
function makeEvents(newNames) {
  return Array.from({ length: EVENTS }, (_, i) => ({
    id: 'e',
    sourceId: `s${i % 5}`,
    subject: 'u:1',
    type: i % 3 === 0 ? 'page' : 'track',
    event: newNames ? `Event ${i * 7919}` : NAMES[(i * 7) % NAMES.length],
    name: newNames ? `Event ${i * 104729}` : NAMES[(i * 11) % NAMES.length],
    properties: {
      amount: i % 500,
      ...Object.fromEntries(Array.from({ length: 20 }, (_unused, p) => [`p${p}`, `v${(i * p) % 1000}`])),
      ...Object.fromEntries(Array.from({ length: 20 }, (_unused, q) => [`q${q}`, (i * q) % 1000])),
    },
    context: { locale: 'de' },
  }));
}

function measure(name, wants) {
  const routes = Array.from({ length: DESTINATIONS }, (_, i) => {
    const filter = wants(i);
    const parsed = filter && parseFilter(filter);
    if (parsed && !parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    return { destination: i, sources: undefined, filter: parsed?.filter };
  });
  const table = new RoutingTable(routes);
  const newNames = name.startsWith(NEW_NAMES);
  const events = makeEvents(newNames);
  const person = { segments: new Set([SEGMENT]), computed: {} };
  const rounds = [];
  let matched = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    matched = 0;
    if (newNames) renew(events, round);
    const startedAt = process.hrtime.bigint();
    for (const event of events) matched += table.match(event, person, 0).length;
    rounds.push(Number(process.hrtime.bigint() - startedAt) / 1_000 / EVENTS);
  }
  rounds.sort((a, b) => a - b);
  return { us: rounds[Math.floor(ROUNDS / 2)], matched: matched / EVENTS };
}

/** So that nothing that was kept of the rounds before is of use. */
function renew(events, round) {
  for (const event of events) {
    event.event = `${event.event.split('/')[0]}/${round}`;
    event.name = `${event.name.split('/')[0]}/${round}`;
  }
}

const rows = Object.entries(CASES).map(([name, wants]) => ({ name, ...measure(name, wants) }));
console.log(
  `Routing one event over ${DESTINATIONS} destinations (median of ${ROUNDS} rounds of ${EVENTS} events)\n`,
);
for (const { name, us, matched } of rows) {
  console.log(`${us.toFixed(1).padStart(7)} µs  ${matched.toFixed(1).padStart(6)} matched  ${name}`);
}
const worst = Math.max(...rows.map(({ us }) => us));
console.log(
  `\nWorst ${worst.toFixed(1)} µs, target under ${TARGET_US} µs: ${worst < TARGET_US ? 'met' : 'MISSED'}`,
);
process.exitCode = worst < TARGET_US ? 0 : 1;
