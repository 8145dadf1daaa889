import { BootError } from '../platform/boot/boot-error';
import { problemText } from '../platform/http/problems/problem-text';
import { printable } from './describe-event';
import type { ConfigResult } from './management-client';

/** Why there is no answer. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** The service has answered, and not with what was asked for. */
export class RefusedError extends BootError {
  constructor(
    url: string,
    status: number,
    private readonly text: string,
  ) {
    super(`${url} answered ${status}: ${messageOf(text)}`);
  }

  /** What was to be changed, each with whether it was: of a document that was applied in part. */
  get changes(): ConfigResult['changes'] | undefined {
    return problemIn(this.text)?.changes;
  }
}

/** What a page for people answers to anything, as in front of a service, is no answer of it. @throws BootError */
export function demandType(type: string, { headers, status, url }: Response): void {
  const given = headers.get('content-type') ?? 'nothing';
  if (given.split(';', 1)[0] === type) return;
  throw new BootError(
    printable(`${url} answered ${status} with ${given} in the place of ${type}: is that the Management API?`),
  );
}

/** What an answer says that is a problem: one line per thing that is wrong, each with its path in the document. */
function messageOf(text: string): string {
  const problem = problemIn(text);
  if (problem === undefined) return printableLines(text.slice(0, 500)); // Something in between answered.
  const { code, message, errors = [], changes } = problem;
  // Of what is applied in part the message says which change failed and why.
  return errors.length === 0 || changes !== undefined
    ? printable(`${message} (${code})`)
    : linesOf(code, errors);
}

/** As far as the command looks at it; see `ProblemDto`. */
interface AnsweredProblem {
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly Fault[];
  readonly changes?: ConfigResult['changes'];
}

function problemIn(text: string): AnsweredProblem | undefined {
  try {
    const answer = JSON.parse(text) as AnsweredProblem | null;
    return typeof answer?.code === 'string' && typeof answer.message === 'string' ? answer : undefined;
  } catch {
    return undefined; // It is no JSON, and so none of ours.
  }
}

/** One thing that is wrong, and where. */
interface Fault {
  readonly path: string;
  readonly message: string;
}

export function linesOf(title: string, faults: readonly Fault[]): string {
  return [title, ...faults.map((fault) => `  ${problemText(fault)}`)].map(printable).join('\n');
}

function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n');
}
