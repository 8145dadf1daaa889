import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../events/customer-event';
import { isMask } from '../../platform/secrets/mask-secret';
import type { SecretBox } from '../../platform/secrets/secret-box';
import type { Mapping } from './mapping';

const KEY_BYTES = 32;

/**
 * The mapping as it is stored: its key sealed. A key that is left out, or shown as its mask, is the one before; one
 * that is left out where there was none is a random one, if the mapping needs it. Undefined where a mask hides no key.
 */
export function sealMapping(
  mapping: Mapping,
  before: JsonObject | null,
  box: SecretBox,
): JsonObject | undefined {
  const { hashKey, ...rest } = mapping;
  const sealedBefore = before?.hashKeySealed;
  const stored = rest as unknown as JsonObject; // Validated: JSON and nothing else.
  if (typeof sealedBefore === 'string' && isKept(hashKey, sealedBefore, box))
    return { ...stored, hashKeySealed: sealedBefore };
  if (isMask(hashKey)) return undefined;
  if (hashKey !== undefined) return { ...stored, hashKeySealed: box.seal(hashKey) };
  const needsKey = mapping.hash?.some(({ method }) => method !== 'sha256') ?? false;
  return needsKey ? { ...stored, hashKeySealed: box.seal(randomBytes(KEY_BYTES).toString('hex')) } : stored;
}

function isKept(hashKey: string | undefined, sealedBefore: string, box: SecretBox): boolean {
  return hashKey === undefined || hashKey === MASK || hashKey === box.tryOpen(sealedBefore);
}

/** Undefined where its key is not readable. */
export function openMapping({ hashKeySealed, ...rest }: JsonObject, box: SecretBox): Mapping | undefined {
  const mapping = rest as unknown as Mapping; // Stored by sealMapping.
  if (typeof hashKeySealed !== 'string') return mapping;
  const hashKey = box.tryOpen(hashKeySealed);
  return hashKey === undefined ? undefined : { ...mapping, hashKey };
}

/** The mapping as the API returns it. */
export function maskMapping({ hashKeySealed, ...rest }: JsonObject): JsonObject {
  return hashKeySealed === undefined ? rest : { ...rest, hashKey: MASK };
}

/** As long as a key must be, so that it can be sent back. */
const MASK = '********';
