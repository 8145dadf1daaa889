import { Module } from '@nestjs/common';
import { WriteKeys } from './write-keys';

/** Apart from `SourcesModule`, which exists once per import: all must share one cache to forget from. */
@Module({ providers: [WriteKeys], exports: [WriteKeys] })
export class WriteKeysModule {}
