import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isJsonObject } from '../events/customer-event';
import { BootError } from '../platform/boot/boot-error';
import { clientEnvironment } from '../platform/config/client-environment';
import { type GivenPlan, parsePlan } from '../tracking-plans/language/parse-plan';
import { GeneratorMissingError } from '../tracking-plans/types/load-generator';
import { UntypableNameError } from '../tracking-plans/types/make-typescript';
import { LANGUAGES, makeTypes, type NamedPlan, type TypesByFile } from '../tracking-plans/types/make-types';
import { findPlan, isPlanAlone } from './choose-trials';
import { linesOf, reasonOf } from './client-failure';
import { ManagementClient } from './management-client';
import { readDocument } from './read-document';

/** What is asked of `cdp types`. */
interface TypesCommand {
  /** The service is asked when there is none. */
  readonly file: string | undefined;
  readonly plan: string | undefined;
  readonly language: string;
  readonly output: string | undefined;
}

/**
 * `cdp types`: types of what a tracking plan describes.
 * @returns the exit code
 */
export async function printTypes({ file, plan, language: asked, output }: TypesCommand): Promise<number> {
  const language = LANGUAGES.find((one) => one === asked);
  if (language === undefined) {
    throw new BootError(`--language: ${asked} is none of ${LANGUAGES.join(', ')}.`);
  }
  const given =
    file === undefined ? await planOfService(plan) : planOfDocument(await readDocument(file), plan);
  const files = await makeTypes(await readPlan(given), language).catch((error: unknown) => {
    const isTold = error instanceof GeneratorMissingError || error instanceof UntypableNameError;
    throw isTold ? new BootError(error.message) : error;
  });
  if (output === undefined) process.stdout.write([...files.values()].join('\n'));
  else await writeOutput(output, files);
  return 0;
}

async function planOfService(asked: string | undefined): Promise<object> {
  const client = new ManagementClient(clientEnvironment());
  const plans = await client.trackingPlans();
  const byId = plans.find(({ id }) => id === asked);
  const { id } = byId ?? findPlan(asked, plans);
  return (await client.trackingPlan(id)) as object;
}

function planOfDocument(document: unknown, asked: string | undefined): object {
  if (isPlanAlone(document)) return document;
  const { trackingPlans = [] } = isJsonObject(document) ? document : {};
  return findPlan(asked, Array.isArray(trackingPlans) ? trackingPlans.filter(isJsonObject) : []);
}

async function readPlan(given: GivenPlan & { readonly name?: unknown }): Promise<NamedPlan> {
  const parsed = await parsePlan(given);
  if (!parsed.ok) throw new BootError(linesOf('The tracking plan is not valid:', parsed.errors));
  return { name: typeof given.name === 'string' ? given.name : '', content: parsed.content };
}

/** Several files go into a folder of that name. */
async function writeOutput(output: string, files: TypesByFile): Promise<void> {
  try {
    if (files.size > 1) await mkdir(output, { recursive: true });
    for (const [name, text] of files) {
      await writeFile(files.size > 1 ? join(output, basename(name)) : output, text);
    }
  } catch (error) {
    throw new BootError(`${output} cannot be written: ${reasonOf(error)}`);
  }
}
