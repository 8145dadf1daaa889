// Where one PostgreSQL that takes all writes ends: `npm run bench -- scale`. Nothing is started, it takes seconds.
//
// CPU comes from "Sizing" in docs/operations.md. The log is played, because it depends on how wide the changes are scattered: the
// first change of a page after a checkpoint writes the whole page into the log, the next ones write what has changed.
// See docs/scale.md.
import { parseArgs } from 'node:util';

/**
 * Microseconds of PostgreSQL's CPU. Of single events that is 510 for the whole path at 500/s,
 * less a delivery; at higher rates they share more.
 */
const CPU_US = { batched: 110, single: 480, delivery: 31 };
/** For events. The rest is for reads, vacuum, segments, and peaks. */
const CPU_SHARE = 0.5;
/** A whole page in the log: what is free in it is left out. */
const PAGE_BYTES = 6_000;
/** What a change writes beside whole pages, measured on empty tables. */
const LOG_BYTES = { event: 800, delivery: 1_060 };
const STORED_BYTES = { event: 460, key: 110, delivery: 500 };
const DAY_SECONDS = 86_400;
/** Of partitions that fill up, the current one is half full; of the ids, one epoch and a half are there. */
const DAYS = { keys: 1.5 * 7, events: 7 / 2, deliveries: 1 / 2 };
const ROWS_A_PAGE = { keys: 120, events: 70, deliveries: 180, profiles: 6, counts: 100 };
/** Pages that are met, at most, when a checkpoint's time is played. */
const SAMPLE = 100_000;

const RATES = [100, 1_000, 10_000];
const PEOPLE = [10_000, 300_000, 3_000_000, 30_000_000];

export function run(args) {
  const machine = readMachine(args);
  const { cores, logMegabytes, checkpointMinutes, destinations } = machine;
  console.log(
    `${cores} cores, half of them for events; ${logMegabytes} MB/s of log; a checkpoint every ${checkpointMinutes} ` +
      `minutes; ${destinations} destination(s)\n`,
  );
  console.table(PEOPLE.map((people) => rowOf(people, machine)));
  const bytes = STORED_BYTES.event + (destinations * STORED_BYTES.delivery * 30) / 365;
  console.log(
    `A year of 1,000 events/s takes ${((bytes * 1_000 * 365 * DAY_SECONDS) / 1e12).toFixed(1)} TB.`,
  );
}

function readMachine(args) {
  const { values } = parseArgs({
    args,
    options: {
      cores: { type: 'string', default: '32' },
      'log-megabytes': { type: 'string', default: '200' },
      'checkpoint-minutes': { type: 'string', default: '15' },
      destinations: { type: 'string', default: '1' },
    },
  });
  return {
    cores: Number(values.cores),
    logMegabytes: Number(values['log-megabytes']),
    checkpointMinutes: Number(values['checkpoint-minutes']),
    destinations: Number(values.destinations),
  };
}

function rowOf(people, machine) {
  const { cores, destinations } = machine;
  const cpuUs = (kind) => CPU_US[kind] + destinations * CPU_US.delivery;
  const byCpu = (kind) => Math.round((cores * CPU_SHARE * 1e6) / cpuUs(kind)).toLocaleString('en');
  return {
    people: people.toLocaleString('en'),
    ...Object.fromEntries(
      RATES.map((rate) => [
        `log an event, ${rate}/s`,
        `${(logOf(rate, people, machine) / 1000).toFixed(1)} kB`,
      ]),
    ),
    'events/s by log': highestRate(people, machine).toLocaleString('en'),
    'by CPU, batched': byCpu('batched'),
    'by CPU, single': byCpu('single'),
  };
}

/** Bytes of log for an event. */
function logOf(rate, people, { checkpointMinutes, destinations }) {
  const touches = rate * checkpointMinutes * 60;
  const seconds = (days) => rate * days * DAY_SECONDS;
  const wholePages =
    firstTouches(seconds(DAYS.keys) / ROWS_A_PAGE.keys, touches) +
    firstTouches(seconds(DAYS.events) / ROWS_A_PAGE.events, touches) +
    firstTouches(people / ROWS_A_PAGE.profiles, touches) +
    firstTouches((3 * people) / ROWS_A_PAGE.counts, touches) +
    destinations * firstTouches(seconds(DAYS.deliveries) / ROWS_A_PAGE.deliveries, touches);
  return LOG_BYTES.event + destinations * LOG_BYTES.delivery + wholePages * PAGE_BYTES;
}

/** The share of touches that are the first of their page, when each meets any page: played, on a smaller scale. */
function firstTouches(pages, touches) {
  const scale = Math.max(1, touches / SAMPLE);
  const seen = new Uint8Array(Math.max(1, Math.round(pages / scale)));
  const count = Math.round(touches / scale);
  let first = 0;
  for (let touch = 0; touch < count; touch += 1) {
    const page = Math.floor(Math.random() * seen.length);
    first += 1 - seen[page];
    seen[page] = 1;
  }
  return first / count;
}

/** The rate at which the log is used up, to a hundredth. */
function highestRate(people, machine) {
  let [low, high] = [1, 1e6];
  while (high / low > 1.01) {
    const middle = Math.sqrt(low * high);
    if (middle * logOf(middle, people, machine) > machine.logMegabytes * 1e6) high = middle;
    else low = middle;
  }
  return Math.round(low / 100) * 100;
}
