import type { PlanContent } from '../language/plan';
import { makeClasses } from './make-classes';
import { makeTypeScript } from './make-typescript';

/** Languages other than TypeScript are those of quicktype: what it makes of hostile names is tested for these. */
export const LANGUAGES = ['typescript', 'kotlin', 'swift', 'go', 'java', 'csharp', 'dart', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A plan that `parsePlan` let pass, and what it is called. */
export interface NamedPlan {
  readonly name: string;
  readonly content: PlanContent;
}

/** Source by the name of its file. Where there is one, it may have any name; Java wants a file for each class. */
export type TypesByFile = ReadonlyMap<string, string>;

/**
 * Types of the properties and traits that a plan describes. The same plan gives the same text.
 * @throws GeneratorMissingError, UntypableNameError
 */
export async function makeTypes(plan: NamedPlan, language: Language): Promise<TypesByFile> {
  if (language !== 'typescript') return makeClasses(plan, language);
  return new Map([['analytics-types.ts', await makeTypeScript(plan)]]);
}
