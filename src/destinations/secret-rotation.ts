import { Injectable } from '@nestjs/common';
import { ConnectorRegistry } from '../connectors/registry';
import { maskSecrets } from '../connectors/secret-fields';
import type { JsonObject } from '../events/customer-event';
import { AuditLog } from '../platform/audit/audit-log';
import type { Actor } from '../platform/auth/principal';
import { Database } from '../platform/database/database';
import { problem } from '../platform/http/problems/problem';
import { SecretBox } from '../platform/secrets/secret-box';
import { countDestinationChangeSql } from './destination-change';
import { DestinationNotFoundError, SecretsNotReadableError } from './destination-problems';
import { openSecrets } from './open-secrets';
import {
  mistakeInPrevious,
  openPrevious,
  type PreviousSecrets,
  sealPrevious,
  stillGood,
  type StoredPrevious,
} from './previous-secrets';

export class NothingToRotateError extends problem(
  409,
  'nothing_to_rotate',
  'The service makes no secrets for this type.',
) {
  constructor(type: string) {
    super(`The service makes no secrets for destinations of type "${type}": give new ones with PUT instead.`);
  }
}

export class TooManySecretsError extends problem(
  409,
  'too_many_secrets',
  'So many secrets sign already, because earlier rotations have not ended.',
) {}

/** New secrets and how long the old ones are good for. */
interface RotatedSecrets {
  readonly secrets: JsonObject;
  readonly previousSecretsUntil: Date;
}

interface LockedRow extends StoredPrevious {
  readonly type: string;
  readonly secretsSealed: string;
  readonly nowMs: number;
}

const lockSql = `
  select type, secrets_sealed as "secretsSealed", previous_secrets_sealed as "previousSecretsSealed",
    previous_secrets_until as "previousSecretsUntil", earlier_secrets_sealed as "earlierSecretsSealed",
    (extract(epoch from now()) * 1000)::float8 as "nowMs"
  from destination where id = $1 for update`;
const rotateSql = `
  update destination set secrets_sealed = $2, previous_secrets_sealed = $3, previous_secrets_until = $4,
    earlier_secrets_sealed = $5, version = version + 1, updated_at = now()
  where id = $1`;

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
   * Takes effect on the next try. For `overlapSeconds` requests are signed with the old secrets, too, as they are with
   * those of earlier rotations that have not ended; for none, all of them end at once.
   * @throws DestinationNotFoundError, NothingToRotateError, TooManySecretsError, SecretsNotReadableError
   */
  rotate(destinationId: string, overlapSeconds: number, actor: Actor): Promise<RotatedSecrets> {
    return this.database.transaction(async (tx) => {
      const [destination] = await tx.query<LockedRow>(lockSql, [destinationId]);
      if (destination === undefined) throw new DestinationNotFoundError(destinationId);
      const connector = this.connectors.get(destination.type);
      const secrets = connector?.newSecrets?.() as JsonObject | undefined;
      if (connector === undefined || secrets === undefined) throw new NothingToRotateError(destination.type);
      const old = openSecrets(destination.secretsSealed, this.secretBox);
      if (old === undefined) throw new SecretsNotReadableError();
      const untilMs = destination.nowMs + overlapSeconds * 1_000;
      const stored = this.putAside({ secrets: old, untilMs }, destination);
      await tx.query(rotateSql, [
        destinationId,
        this.secretBox.seal(JSON.stringify({ ...old, ...secrets })),
        stored.previousSecretsSealed,
        stored.previousSecretsUntil,
        stored.earlierSecretsSealed,
      ]);
      await tx.query(countDestinationChangeSql);
      const previousSecretsUntil = new Date(untilMs);
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

  /** Secrets that are to end at once take those before them along: whoever has one of them must have none. */
  private putAside(replaced: PreviousSecrets, row: LockedRow): StoredPrevious {
    if (replaced.untilMs <= row.nowMs) return sealPrevious([], this.secretBox);
    const previous = [replaced, ...stillGood(openPrevious(row, this.secretBox), row.nowMs)];
    const mistake = mistakeInPrevious(previous);
    if (mistake !== undefined)
      throw new TooManySecretsError(`There is no room for another secret: ${mistake}.`);
    return sealPrevious(previous, this.secretBox);
  }
}
