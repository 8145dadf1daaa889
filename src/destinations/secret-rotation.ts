import { Injectable } from '@nestjs/common';
import { ConnectorRegistry } from '../connectors/registry';
import { maskSecrets } from '../connectors/secret-fields';
import type { JsonObject } from '../events/customer-event';
import { AuditLog } from '../platform/audit/audit-log';
import type { Actor } from '../platform/auth/principal';
import { Database } from '../platform/database/database';
import { problem } from '../platform/http/problem';
import { SecretBox } from '../platform/secrets/secret-box';
import { countDestinationChangeSql } from './destination-change';
import { DestinationNotFoundError, SecretsNotReadableError } from './destination-problems';
import { openSecrets } from './open-secrets';

export class NothingToRotateError extends problem(
  409,
  'nothing_to_rotate',
  'The service makes no secrets for this type.',
) {
  constructor(type: string) {
    super(`The service makes no secrets for destinations of type "${type}": give new ones with PUT instead.`);
  }
}

/** New secrets and how long the old ones are good for. */
export interface RotatedSecrets {
  readonly secrets: JsonObject;
  readonly previousSecretsUntil: Date;
}

const lockSql = 'select type, secrets_sealed from destination where id = $1 for update';
const rotateSql = `
  update destination set secrets_sealed = $2, previous_secrets_sealed = $3,
    previous_secrets_until = now() + $4 * interval '1 second', version = version + 1, updated_at = now()
  where id = $1 returning previous_secrets_until`;

/** Replaces the secrets of a destination that the service made, or could have made. */
@Injectable()
export class SecretRotation {
  constructor(
    private readonly database: Database,
    private readonly connectors: ConnectorRegistry,
    private readonly secretBox: SecretBox,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Takes effect on the next try. For `overlapSeconds` requests are signed with the old secrets, too.
   * @throws DestinationNotFoundError, NothingToRotateError, SecretsNotReadableError
   */
  rotate(destinationId: string, overlapSeconds: number, actor: Actor): Promise<RotatedSecrets> {
    return this.database.transaction(async (tx) => {
      const [destination] = await tx.query<{ type: string; secrets_sealed: string }>(lockSql, [
        destinationId,
      ]);
      if (destination === undefined) throw new DestinationNotFoundError(destinationId);
      const connector = this.connectors.get(destination.type);
      const secrets = connector?.newSecrets?.() as JsonObject | undefined;
      if (connector === undefined || secrets === undefined) throw new NothingToRotateError(destination.type);
      const old = openSecrets(destination.secrets_sealed, this.secretBox);
      if (old === undefined) throw new SecretsNotReadableError();
      const [row] = await tx.query<{ previous_secrets_until: Date }>(rotateSql, [
        destinationId,
        this.secretBox.seal(JSON.stringify({ ...old, ...secrets })),
        destination.secrets_sealed,
        overlapSeconds,
      ]);
      await tx.query(countDestinationChangeSql);
      const previousSecretsUntil = row?.previous_secrets_until ?? new Date();
      await this.audit.record(tx, actor, {
        action: 'rotate_secret',
        resource: 'destination',
        resourceId: destinationId,
        before: maskSecrets(old, connector.secretFields),
        after: {
          ...maskSecrets({ ...old, ...secrets }, connector.secretFields),
          previousSecretsUntil: previousSecretsUntil.toISOString(),
        },
      });
      return { secrets, previousSecretsUntil };
    });
  }
}
