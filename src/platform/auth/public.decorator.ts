import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const IS_PUBLIC = Symbol('public');

/** Needs no management token: health checks, and ingestion, which authenticates by write key. */
export const Public = (): CustomDecorator<symbol> => SetMetadata(IS_PUBLIC, true);
