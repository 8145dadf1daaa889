import type { JsonObject } from '../events/customer-event';
import type { SecretBox } from '../platform/secrets/secret-box';
import type { Destination } from './destination.entity';
import { openMapping } from './mapping/seal-mapping';

/** The secrets of a destination, as the editor sealed them; undefined where they are not readable. */
export function openSecrets(sealed: string, box: SecretBox): JsonObject | undefined {
  const text = box.tryOpen(sealed);
  return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
}

/** Whether all that is sealed of a destination can be opened, but for secrets that were replaced. */
export function areSecretsReadable(
  { secretsSealed, mapping }: Pick<Destination, 'secretsSealed' | 'mapping'>,
  box: SecretBox,
): boolean {
  if (box.tryOpen(secretsSealed) === undefined) return false;
  return mapping === null || openMapping(mapping, box) !== undefined;
}
