import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { BootstrapTokens } from './bootstrap-tokens';
import { JwtAuthGuard } from './jwt-auth.guard';
import { JwtStrategy } from './jwt.strategy';
import { ManagementProtection } from './management-protection';
import { Sessions } from '../login/sessions';
import { MeController } from './me.controller';
import { RequestTokens } from './request-tokens';
import { TokenVerifier } from './token-verifier';

/**
 * Authentication and rights of the Management API. A route is closed unless it says otherwise. A process without this
 * module serves nothing that takes a token, and needs no identity provider.
 */
@Module({
  controllers: [MeController],
  providers: [
    BootstrapTokens,
    TokenVerifier,
    Sessions,
    RequestTokens,
    ManagementProtection,
    JwtStrategy,
    { provide: APP_GUARD, useClass: JwtAuthGuard },
  ],
  exports: [TokenVerifier, RequestTokens, Sessions],
})
export class AuthModule {}
