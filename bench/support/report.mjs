// The table, the JSON file and the chart of a run, with what it ran on.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chartOf, round } from './chart.mjs';

const RESULTS = join(dirname(fileURLToPath(import.meta.url)), '../results');

/** Prints the figures and writes them to bench/results. `ran` says what was run and how long it took. */
export function report(name, figures, ran) {
  const machine = machineOf();
  console.log(`\n${name}: ${describe(machine)}`);
  console.table(
    figures.map(({ part, name: figure, value, unit, ratio }) => ({
      part,
      figure,
      value: round(value),
      unit,
      ratio: ratio === undefined ? '' : Number(ratio.toFixed(2)),
    })),
  );
  mkdirSync(RESULTS, { recursive: true });
  const at = new Date().toISOString();
  const file = join(RESULTS, `${name}-${at.replaceAll(/[:.]/g, '-')}-figures`);
  writeFileSync(`${file}.json`, `${JSON.stringify({ name, at, ...ran, machine, figures }, undefined, 2)}\n`);
  const lines = [
    describe(machine),
    `${at}, commit ${machine.commit}, pale bars: the limit measured beside it`,
  ];
  writeFileSync(`${file}.svg`, chartOf(`npm run bench: ${name}`, lines, figures));
  console.log(`Written to ${file}.json and .svg`);
}

function machineOf() {
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    redis: versionOf('redis-server', /v=(\S+)/),
    commit: versionOf('git', /(.*)/, ['rev-parse', '--short', 'HEAD']),
  };
}

function describe({ cores, processor, memoryGb, node, redis }) {
  return `${cores} cores (${processor}), ${memoryGb} GB, Node.js ${node}, embedded PostgreSQL, Redis ${redis}`;
}

function versionOf(program, pattern, args = ['--version']) {
  try {
    return pattern.exec(execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }))?.[1] ?? 'unknown';
  } catch {
    return 'none';
  }
}
