import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const IS_PUBLIC = Symbol('public');
/** Tells the OpenAPI document, which then drops it for an empty `security`. */
export const IS_PUBLIC_EXTENSION = 'x-cdp-public';

/** Needs no management token: health checks, and ingestion, which authenticates by write key. */
export function Public(): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(IS_PUBLIC, true), ApiExtension(IS_PUBLIC_EXTENSION, true));
}
