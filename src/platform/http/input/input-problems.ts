import { InvalidRequestError, type ProblemDetail } from '../problems/problem';

/** That are collected: more than any answer tells. */
const MAX_ERRORS = 1_000;

/** Reads a part of an input that stands at `path`. It returns undefined after it noted what is wrong. */
export type ReadPart<T> = (part: unknown, path: string, problems: InputProblems) => T | undefined;

/**
 * Everything that is wrong with an input, collected while a parser goes through it once. It is how all input is checked
 * that is nested more deeply than the members of a DTO: rules, filters, mappings, configuration documents. A method
 * returns the part when it is right; otherwise it notes why and returns undefined.
 */
export class InputProblems {
  readonly errors: ProblemDetail[] = [];

  fail(path: string, code: string, message: string): undefined {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ path, code, message });
    return undefined;
  }

  /** Notes what is wrong with a part that was read apart, which stands at `parent`. */
  failAll(errors: readonly ProblemDetail[], parent = ''): void {
    for (const { path, code, message } of errors) {
      this.fail(parent === '' ? path : `${parent}.${path}`, code, message);
    }
  }

  oneOf<T extends string>(allowed: readonly T[], value: unknown, path: string, code: string): T | undefined {
    const found = allowed.find((one) => one === value);
    return found ?? this.fail(path, code, `Must be one of ${allowed.join(', ')}.`);
  }

  /** A misspelt member would otherwise silently widen what is asked for. */
  onlyMembers(object: object, known: readonly string[], path: string, code: string): void {
    for (const member of Object.keys(object)) {
      if (!known.includes(member)) this.fail(`${path}.${member}`, code, `Is none of ${known.join(', ')}.`);
    }
  }

  /** The entries of a list that are right. */
  entries<T>(list: readonly unknown[], path: string, readEntry: ReadPart<T>): T[] {
    return list
      .map((entry, index) => readEntry(entry, `${path}[${index}]`, this))
      .filter((entry) => entry !== undefined);
  }

  /** @throws InvalidRequestError when something is wrong */
  refuse(): void {
    if (this.errors.length > 0) throw new InvalidRequestError(this.errors);
  }
}
