// @ts-check
// npm run bench -- parse: what one event costs, checked by the compiled schema and by class-validator. No PostgreSQL, no HTTP.
import 'reflect-metadata';
import { performance } from 'node:perf_hooks';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { sampleEvent } from './ingest/sample-event.mjs';
import { TrackEventDto } from '#dist/ingestion/parsing/event.dto';
import { DEFAULT_LIMITS } from '#dist/ingestion/parsing/limits';
import { parseEvent } from '#dist/ingestion/parsing/parse-event';
import { parseJson } from '#dist/ingestion/parsing/parse-request';

const EVENTS = 20_000;
const ROUNDS = 7;

const text = JSON.stringify(
  sampleEvent('622bc5a3-d93e-48e4-b85d-d2ad521127fc', 'u0000001', new Date().toISOString()),
);
const event = JSON.parse(text);
const exotic = text.replace('9.5', '9.50');
const request = {
  receivedAtMs: Date.now(),
  receivedAt: new Date().toISOString(),
  needsCleaning: false,
  limits: DEFAULT_LIMITS,
};

const cases = {
  'JSON.parse': () => JSON.parse(text),
  'parseJson: numbers keep their digits': () => parseJson(text),
  'parseJson, with a number that would lose some': () => parseJson(exotic),
  'parseEvent: check, normalise, serialise': () => parseEvent(event, request),
  'class-validator: validate only': (() => {
    const instance = Object.assign(new TrackEventDto(), event);
    return () => validateSync(instance);
  })(),
  'class-validator: transform and validate': () => validateSync(plainToInstance(TrackEventDto, event)),
};

const medians = Object.entries(cases).map(([name, work]) => [
  name,
  { 'µs/event': Number(median(work).toFixed(2)) },
]);
console.log(
  `${text.length} bytes an event, node ${process.version}, median of ${ROUNDS} rounds of ${EVENTS}`,
);
console.table(Object.fromEntries(medians));

function median(work) {
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    for (let count = 0; count < EVENTS; count += 1) work();
    return ((performance.now() - startedAt) / EVENTS) * 1000;
  });
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}
