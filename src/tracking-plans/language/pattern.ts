import { RE2JS } from 're2js';

/** An expression that takes time in proportion to the text, whatever the two are. */
export interface Pattern {
  /** Whether it matches some part of the text. */
  test(text: string): boolean;
  /** Instructions of its program. */
  programSize(): number;
}

/** @throws Error that says what of the expression cannot be matched in linear time, or is none */
export function compilePattern(expression: string): Pattern {
  return RE2JS.compile(RE2JS.translateRegExp(expression));
}

/** Why an expression is refused; undefined when it is not. */
export function faultOfPattern(expression: string): string | undefined {
  try {
    compilePattern(expression);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace('error parsing regexp: ', '') : String(error);
  }
}
