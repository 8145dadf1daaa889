import { Injectable, Logger } from '@nestjs/common';
import { LiveCopy } from '../platform/background/live-copy';
import { Lookout } from '../platform/background/lookout';
import { Database } from '../platform/database/database';
import type { Untransformed } from './source-kind';
import type { SandboxedCode } from '../transformations/sandbox/sandbox-result';
import { transformationCodeSql } from '../transformations/transformation-code';
import type { SealedSignature } from './signature/sealed-signature';

/** A source of the kind `webhook`, enabled or not. */
export interface WebhookSource extends SealedSignature, Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly trackingPlanId: string | null;
  /** The newest version of what makes events of its requests. */
  readonly transformation: SandboxedCode | null;
  readonly untransformed: Untransformed;
}

type ById = ReadonlyMap<string, WebhookSource>;

const webhookSourcesSql = `
  select id, name, tracking_plan_id as "trackingPlanId", untransformed, signature, signature_secrets_sealed as "signatureSecretsSealed",
    ${transformationCodeSql('source.transformation_id')} as transformation
  from source where kind = 'webhook'`;

/** The webhooks that operators configure, in memory: what is to be known of one before its request is believed. */
@Injectable()
export class WebhookSources {
  private readonly logger = new Logger(WebhookSources.name);
  private readonly copy: LiveCopy<WebhookSource, ById>;
  private onChange: (sources: readonly WebhookSource[]) => void = () => undefined;

  constructor(database: Database, lookout: Lookout) {
    const original = {
      name: 'webhook_sources',
      versionSql: 'select version from source_change',
      rowsSql: webhookSourcesSql,
      build: (rows: readonly WebhookSource[]): ById => {
        this.onChange(rows);
        return new Map(rows.map((row) => [row.id, row]));
      },
    };
    this.copy = new LiveCopy(original, database);
    this.copy.follow(lookout, (error) => this.logger.debug(`Webhooks could not be read: ${String(error)}`));
  }

  /** Has all of them shown to `listener` after each change, within about a second. */
  follow(listener: (sources: readonly WebhookSource[]) => void): void {
    this.onChange = listener;
  }

  /** As of now. @throws the error of the driver when PostgreSQL is away */
  async find(sourceId: string): Promise<WebhookSource | undefined> {
    return (await this.copy.refresh()).get(sourceId);
  }
}
