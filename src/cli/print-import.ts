import { stringify } from 'yaml';
import { isJsonObject } from '../events/customer-event';
import { BootError } from '../platform/boot/boot-error';
import { importPlan } from '../tracking-plans/imports/import-plan';
import { linesOf } from './client-failure';
import { printable } from './describe-event';
import { readDocument } from './read-document';

/**
 * `cdp import-plan`: prints a document of the configuration with a tracking plan of somebody else.
 * @returns the exit code
 */
export async function printImport(file: string): Promise<number> {
  const document = await readDocument(file);
  if (!isJsonObject(document)) throw new BootError(`${file} is no tracking plan: it must be an object.`);
  const imported = await importPlan(document);
  if (!imported.ok) throw new BootError(linesOf(`${file} cannot be imported:`, imported.errors));
  for (const { path, message } of imported.notes)
    process.stderr.write(`${printable(`${path}: ${message}`)}\n`);
  process.stdout.write(
    stringify({ version: 1, trackingPlans: [imported.plan] }, { aliasDuplicateObjects: false }),
  );
  return 0;
}
