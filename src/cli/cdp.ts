#!/usr/bin/env node
import { reportBootFailure } from '../platform/boot/report-boot-failure';
import { type Command, parseCommand, UsageError } from './parse-command';
import { USAGE, usageOf } from './usage';

const EXIT_FAILED = 1;

/**
 * `cdp plan|apply|export`: the configuration as a document. `cdp import-plan`: a part of one. `cdp types`: types
 * for developers. `cdp tail`: what comes in. `cdp token --bootstrap`: the first token. A command loads what it needs and no more: the whole service takes seconds.
 */
async function run(): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  switch (command.name) {
    case 'help':
      process.stdout.write(usageOf(command.topic));
      return 0;
    case 'token': {
      const { makeBootstrapToken } = await import('./bootstrap-token.js');
      process.stdout.write(`${await makeBootstrapToken()}\n`);
      return 0;
    }
    case 'import-plan': {
      const { printImport } = await import('./print-import.js');
      return printImport(command.file);
    }
    case 'types': {
      const { printTypes } = await import('./print-types.js');
      return printTypes(command);
    }
    default:
      return askService(command);
  }
}

async function askService(
  command: Extract<Command, { readonly name: 'export' | 'plan' | 'apply' | 'tail' }>,
): Promise<number> {
  const { clientEnvironment } = await import('../platform/config/client-environment.js');
  const environment = clientEnvironment();
  switch (command.name) {
    case 'tail': {
      const { showTail } = await import('./show-tail.js');
      return showTail(environment, command);
    }
    case 'plan': {
      const { showPlan } = await import('./show-plan.js');
      return showPlan(environment, command);
    }
    case 'apply': {
      const { apply } = await import('./apply.js');
      return apply(environment, command);
    }
    case 'export': {
      const { ManagementClient } = await import('./management-client.js');
      process.stdout.write(await new ManagementClient(environment).export());
      return 0;
    }
  }
}

run().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}`);
    else reportBootFailure(error);
    process.exitCode = EXIT_FAILED;
  },
);
