import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import type { FastifyRequest } from 'fastify';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { Principal } from './principal';
import { RequestTokens } from './request-tokens';

/**
 * passport-jwt's strategy with jose in the place of jsonwebtoken, which knows neither EdDSA nor remote key sets
 * that rotate. Token and scope were checked before the body was read (`ManagementProtection`); here the owner is found.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly tokens: RequestTokens) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: (_request, _token, done) => done(null),
    });
  }

  override authenticate(request: Request): void {
    // Passport is typed for Express; this request is Fastify's.
    this.tokens.permittedPrincipalOf(request as unknown as FastifyRequest).then(
      (principal) => this.success(principal),
      (error: Error) => this.error(error),
    );
  }

  /** PassportStrategy asks for this method. The verifier has validated the token already. */
  validate(principal: Principal): Principal {
    return principal;
  }
}
