import type { SecretBox } from '../../platform/secrets/secret-box';
import type { Source } from '../source.entity';
import type { Signature } from './signature';

/** How a signature is stored. */
export type SealedSignature = Pick<Source, 'signature' | 'signatureSecretsSealed'>;

export function sealSignature(signature: Signature | null, box: Pick<SecretBox, 'seal'>): SealedSignature {
  if (signature === null) return { signature: null, signatureSecretsSealed: null };
  const { secrets, ...settings } = signature;
  return { signature: settings, signatureSecretsSealed: box.seal(JSON.stringify(secrets)) };
}

/** @throws when the secrets are sealed with a key that is not at hand */
export function openSignature(
  { signature, signatureSecretsSealed }: SealedSignature,
  box: Pick<SecretBox, 'open'>,
): Signature | null {
  if (signature === null || signatureSecretsSealed === null) return null;
  return { ...signature, secrets: JSON.parse(box.open(signatureSecretsSealed)) as string[] };
}
