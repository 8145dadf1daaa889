/** Code of an operator that exports `transform`. */
export interface SandboxedCode {
  /** Of this very text: a text that is changed has another id. */
  readonly id: string;
  readonly text: string;
}

/**
 * What a call came to: the JSON text of what it returned, why there is none, or that it looked into its second
 * argument, which was null.
 */
export type SandboxResult =
  { readonly json: string } | { readonly failure: SandboxFailure } | { readonly asks: true };

/**
 * - `syntax`: the code cannot be loaded, or exports no function `transform`
 * - `threw`: it threw, or called itself too deeply
 * - `timed_out`, `out_of_memory`: it took more steps, or more memory, than a call may
 * - `bad_result`: what it returned is no JSON, a promise, or too large
 */
export interface SandboxFailure {
  readonly kind: 'syntax' | 'threw' | 'timed_out' | 'out_of_memory' | 'bad_result';
  readonly message: string;
  /** In the code, from 1; undefined where nobody knows it. */
  readonly line?: number;
}

export function isFailure(result: SandboxResult): result is { readonly failure: SandboxFailure } {
  return 'failure' in result;
}
