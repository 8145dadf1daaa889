import { Module } from '@nestjs/common';
import { WriteKeys } from './write-keys';

/** Finds the source of a write key. Apart from `SourcesModule`, whose secrets the Events API does not open. */
@Module({ providers: [WriteKeys], exports: [WriteKeys] })
export class WriteKeysModule {}
