import { BootError } from '../platform/boot/boot-error';
import type { ClientEnvironment } from '../platform/config/client-environment';
import { applyGiven } from './apply-given';
import {
  type Asked,
  isPlanAlone,
  type PlanTrial,
  type PresentPlans,
  trialsOfDocument,
  trialsOfPlan,
  unusedPlans,
} from './choose-trials';
import type { FailOn } from './commands';
import { describeChanges } from './describe-changes';
import { printable } from './describe-event';
import { describeTrial, meets, type TriedPlan } from './describe-trial';
import { type ConfigResult, ManagementClient } from './management-client';
import { readGiven } from './read-document';

/** What is asked of `cdp plan`. */
export interface PlanCommand {
  readonly file: string;
  readonly prune: boolean;
  readonly json: boolean;
  readonly asked: Asked;
  /** How many stored events tracking plans are tried on; none when 0. */
  readonly last: number;
  readonly failOn: FailOn | undefined;
}

/** For CI. Everything answers 1 when it fails. */
const EXIT_CHANGES = 2;
const EXIT_REFUSED = 3;

/**
 * `cdp plan`: what applying a file would change, and what its tracking plans would have done to stored events.
 * @returns the exit code
 */
export async function showPlan(environment: ClientEnvironment, command: PlanCommand): Promise<number> {
  const client = new ManagementClient(environment);
  const given = await readGiven(command.file, environment);
  const { document } = given;
  const isAlone = isPlanAlone(document);
  if (isAlone && command.asked.plan !== undefined) {
    throw new BootError('--plan chooses a plan of a document: this file holds one plan alone.');
  }
  const result = isAlone
    ? NO_CHANGES
    : await applyGiven(client, given, { dryRun: true, prune: command.prune });
  const present = { sources: await client.sources(), trackingPlans: await client.trackingPlans() };
  const trials = command.last === 0 ? [] : chooseTrials(document, result, { present, asked: command.asked });
  const tried = await tryPlans(trials, { client, last: command.last });
  if (command.json) process.stdout.write(`${JSON.stringify({ ...result, trials: tried }, null, 2)}\n`);
  else {
    const untried = command.last === 0 ? [] : untriedPlans(result, tried);
    const unused = isAlone ? [] : unusedPlans(document, result, present);
    const parts = [
      ...(isAlone ? [] : [describeChanges(result)]),
      ...tried.map(describeTrial),
      ...untried.map(
        (name) =>
          `${printable(`Tracking plan "${name}" was not tried: no source that exists is to have it. ${SAY_WHERE}`)}\n`,
      ),
      ...unused
        .filter((name) => !untried.includes(name))
        .map((name) => `${printable(`Hint: no source has the tracking plan "${name}". ${SAY_WHOSE}`)}\n`),
    ];
    process.stdout.write(parts.join('\n'));
  }
  const { failOn } = command;
  if (failOn !== undefined && tried.some(({ preview }) => meets(preview, failOn))) return EXIT_REFUSED;
  return result.changes.length > 0 ? EXIT_CHANGES : 0;
}

const SAY_WHERE = 'Say on whose events to try it, with --source and --plan.';
const SAY_WHOSE = 'It says nothing of any event until the entry of a source names it as its trackingPlan.';

/** Plans that change, of which no events say what they would do. */
function untriedPlans({ changes }: ConfigResult, tried: readonly TriedPlan[]): string[] {
  return changes
    .filter(({ kind, action }) => kind === 'trackingPlan' && action !== 'delete')
    .map(({ name }) => name)
    .filter((name) => !tried.some(({ plan }) => plan === name));
}

const NO_CHANGES: ConfigResult = { changes: [] };

function chooseTrials(
  document: unknown,
  result: ConfigResult,
  { present, asked }: { readonly present: PresentPlans; readonly asked: Asked },
): PlanTrial[] {
  if (isIdle(document, result, asked)) return [];
  return isPlanAlone(document)
    ? trialsOfPlan(document, present, asked)
    : trialsOfDocument(document, result, present, asked);
}

/** Nothing changes, and nobody asks. */
function isIdle(
  document: unknown,
  { changes }: ConfigResult,
  { plan, source }: PlanCommand['asked'],
): boolean {
  return !isPlanAlone(document) && changes.length === 0 && plan === undefined && source === undefined;
}

/** One after the other: a preview reads thousands of events. */
async function tryPlans(
  trials: readonly PlanTrial[],
  { client, last }: { readonly client: ManagementClient; readonly last: number },
): Promise<TriedPlan[]> {
  const tried: TriedPlan[] = [];
  for (const { plan, source } of trials) {
    const preview = await client.previewPlan({ plan, sourceId: source.id, last });
    const name = typeof plan.name === 'string' ? plan.name : undefined;
    tried.push({ plan: name, source: { id: source.id, name: source.name }, preview });
  }
  return tried;
}
