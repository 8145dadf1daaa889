import { RE2JS } from 're2js';

/** An expression that takes time in proportion to the text, whatever the two are. */
export interface Pattern {
  /** Whether it matches some part of the text. */
  test(text: string): boolean;
}

/** One character: itself, or one of a class. */
const ONE = String.raw`(?:[\w /:@#%&=~-]|\\d|\[\^?[\w .-]+\])`;
/**
 * `^`, characters, and at the end perhaps one that repeats: the engine of Node.js has no choice in it that it could
 * take back, and takes a tenth of the time of the one that is linear for all.
 */
const PLAIN = new RegExp(
  String.raw`^\^(?:${ONE}(?:\{\d{1,2}\})?)*(?:${ONE}(?:[+*?]|\{\d{1,2},\d{0,2}\}))?\$?$`,
);

/** @throws Error that says what of the expression cannot be matched in linear time, or is none */
export function compilePattern(expression: string): Pattern {
  return PLAIN.test(expression) ? new RegExp(expression, 'u') : linear(expression);
}

/** The instructions of its program. @throws as {@link compilePattern} */
export function programSize(expression: string): number {
  return linear(expression).programSize();
}

/** Why an expression is refused; undefined when it is not. */
export function faultOfPattern(expression: string): string | undefined {
  try {
    linear(expression);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace('error parsing regexp: ', '') : String(error);
  }
}

function linear(expression: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(expression));
}
