import { Injectable, Logger } from '@nestjs/common';
import { NOT_READABLE } from '../../platform/secrets/secret-box';
import { type WebhookSource, WebhookSources } from '../../sources/webhook-sources';
import { HookSecrets } from './hook-secrets';

/** Tells operators, before somebody posts, of which sources this process cannot verify signatures. */
@Injectable()
export class UnreadableHookSecrets {
  private readonly logger = new Logger(UnreadableHookSecrets.name);
  private told: ReadonlySet<string> = new Set();

  constructor(
    sources: WebhookSources,
    private readonly secrets: HookSecrets,
  ) {
    sources.follow((all) => this.tell(all.filter((source) => !this.secrets.canOpen(source))));
  }

  private tell(unreadable: readonly WebhookSource[]): void {
    for (const { id, name } of unreadable.filter((source) => !this.told.has(source.id))) {
      this.logger.error(`The secrets of source "${name}" (${id}) ${NOT_READABLE}: its requests get 503.`);
    }
    this.told = new Set(unreadable.map(({ id }) => id));
  }
}
