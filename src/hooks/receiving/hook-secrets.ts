import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { SecretBox } from '../../platform/secrets/secret-box';
import { openSignature, type SealedSignature } from '../../sources/signature/sealed-signature';
import type { Signature } from '../../sources/signature/signature';
import { SecretsUnavailableError } from '../hook-problems';

/** Opens the secrets of webhooks where requests are received. A process for events alone may lack the key. */
@Injectable()
export class HookSecrets {
  private readonly box: SecretBox | undefined;

  constructor(config: Config) {
    this.box = config.hasEncryptionKey ? new SecretBox(config) : undefined;
  }

  canOpen(source: SealedSignature): boolean {
    try {
      this.open(source);
      return true;
    } catch {
      // May stop here: whoever asks says so.
      return false;
    }
  }

  /** Null when requests are not signed. @throws SecretsUnavailableError */
  open(source: SealedSignature): Signature | null {
    if (source.signature === null) return null;
    if (this.box === undefined) throw new SecretsUnavailableError();
    try {
      return openSignature(source, this.box);
    } catch {
      throw new SecretsUnavailableError();
    }
  }
}
