import { Module } from '@nestjs/common';
import { HeardSources } from './heard-sources';
import { WebhookSources } from './webhook-sources';
import { WriteKeys } from './write-keys';

/**
 * Finds the source of a write key, and notes that it sends. Apart from `SourcesModule`, whose secrets the Events API
 * does not open.
 */
@Module({
  providers: [WriteKeys, HeardSources, WebhookSources],
  exports: [WriteKeys, HeardSources, WebhookSources],
})
export class WriteKeysModule {}
