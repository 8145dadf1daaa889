#!/usr/bin/env node
import { reportBootFailure } from '../platform/boot/report-boot-failure';
import { UsageError } from './options';
import { parseCommand } from './parse-command';
import { usageOf } from './usage';

const EXIT_FAILED = 1;

async function run(): Promise<number> {
  return parseCommand(process.argv.slice(2)).run();
}

run().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${usageOf(error.command)}`);
    else reportBootFailure(error);
    process.exitCode = EXIT_FAILED;
  },
);
