import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Scope } from './principal';

export const REQUIRED_SCOPE = Symbol('required scope');

/** The scope a token needs. Without it: `cdp:read` to read (GET, HEAD), `cdp:write` for everything else. */
export const Scopes = (scope: Scope): CustomDecorator<symbol> => SetMetadata(REQUIRED_SCOPE, scope);
