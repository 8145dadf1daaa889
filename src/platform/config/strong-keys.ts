import type { z } from 'zod';
import { keysOf } from '../secrets/key-ring';

/** At least as long as `openssl rand -hex 8`: a shorter one can be guessed by trying. */
const MIN_KEY_LENGTH = 16;
const MIN_DIFFERENT_CHARACTERS = 8;

/** Each key of the list opens secrets, so each must be a good one, the first and the last. */
export function mustBeStrongKeys(text: string, context: z.RefinementCtx<string>): void {
  const keys = keysOf(text);
  if (keys.length === 0) context.addIssue({ code: 'custom', message: 'holds no key' });
  for (const [index, key] of keys.entries()) {
    demandStrong(key, keys.length > 1 ? `key ${index + 1} of the list ` : '', context);
  }
}

/** Tokens are signed with it: with a key that can be guessed, a stranger can sign one. */
export function mustBeStrongKey(key: string, context: z.RefinementCtx<string>): void {
  demandStrong(key, '', context);
}

function demandStrong(key: string, which: string, context: z.RefinementCtx<string>): void {
  if (key.length >= MIN_KEY_LENGTH && new Set(key).size >= MIN_DIFFERENT_CHARACTERS) return;
  const message = `${which}must have ${MIN_KEY_LENGTH} characters or more, ${MIN_DIFFERENT_CHARACTERS} of them different, e.g. the output of openssl rand -hex 32`;
  context.addIssue({ code: 'custom', message });
}
