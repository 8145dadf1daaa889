import { getMetadataStorage, type MetadataStorage, type ValidationError } from 'class-validator';
import type { ProblemDetail } from '../problems/problem';
import { joinPath, unknownField } from './problem-paths';

/** What is not there, or of another type, breaks all other rules as well. */
const TYPE_RULES = ['isArray', 'isObject', 'isString', 'isInt', 'isNumber', 'isBoolean'];

/** Of a list. More help nobody. */
const MAX_ENTRIES_TOLD = 100;

/** A rule for each entry of a list. */
interface EntryRule {
  readonly name: string;
  readonly passes: (entry: unknown) => boolean;
}

/** What is wrong with a member: one problem for it as a whole, or one for each entry that is wrong. */
export function memberProblems(error: ValidationError, path: string): ProblemDetail[] {
  const { property, value, constraints = {} } = error;
  if ('whitelistValidation' in constraints) return [unknownField(property, path, membersOf(error))];
  const rules = entryRules(error);
  const names = rules.map(({ name }) => name);
  const broken = Object.keys(constraints);
  if (broken.some((rule) => names.includes(rule)) && !Array.isArray(value)) {
    return [{ path, code: 'is_array', message: saysOf(error, `${property} must be an array`) }];
  }
  const rule = toldOf(broken.filter((name) => !names.includes(name)));
  if (rule !== undefined)
    return [{ path, code: snakeCase(rule), message: saysOf(error, constraints[rule] ?? '') }];
  return broken.length === 0 ? [] : entryProblems(error, rules, path);
}

function entryProblems(
  { property, value, constraints = {} }: ValidationError,
  rules: readonly EntryRule[],
  path: string,
): ProblemDetail[] {
  const problems: ProblemDetail[] = [];
  for (const [index, entry] of (value as unknown[]).entries()) {
    if (problems.length === MAX_ENTRIES_TOLD) break;
    const rule = toldOf(rules.filter(({ passes }) => !passes(entry)).map(({ name }) => name));
    if (rule === undefined) continue;
    const message = (constraints[rule] ?? '')
      .replace(/^each value in /, '')
      .replace(property, `${property}[${index}]`);
    problems.push({ path: joinPath(path, String(index)), code: snakeCase(rule), message });
  }
  return problems;
}

/** The members that the object may have which this one stands in. */
function membersOf({ target }: ValidationError): string[] {
  const rules = rulesOf(target?.constructor ?? Object);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

function rulesOf(owner: Function): ReturnType<MetadataStorage['getTargetValidationMetadatas']> {
  return getMetadataStorage().getTargetValidationMetadatas(owner, '', false, false);
}

function entryRules({ target, property, value }: ValidationError): EntryRule[] {
  const storage = getMetadataStorage();
  const owner = target?.constructor ?? Object;
  return rulesOf(owner)
    .filter((rule) => rule.propertyName === property && rule.each && rule.constraintCls !== undefined)
    .flatMap(({ constraintCls, constraints }) =>
      storage.getTargetValidatorConstraints(constraintCls).map((constraint) => {
        const about = { property, value, constraints, object: target ?? {}, targetName: owner.name };
        return {
          name: constraint.name,
          passes: (entry) => constraint.instance.validate(entry, about) !== false,
        };
      }),
    );
}

function saysOf({ property, value }: ValidationError, message: string): string {
  return value === undefined ? `${property} is missing: ${message}` : message;
}

function toldOf(broken: readonly string[]): string | undefined {
  return TYPE_RULES.find((rule) => broken.includes(rule)) ?? broken[0];
}

function snakeCase(rule: string): string {
  return rule.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
