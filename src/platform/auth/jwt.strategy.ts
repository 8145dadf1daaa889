import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Config } from '../config/config';
import type { Principal } from './principal';
import { scopesOf } from './token-scopes';

/** Checks the bearer token of a request. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(@Inject(Config) config: Config) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: (_request, _token, done) => done(null, config.env.CDP_JWT_SECRET),
      algorithms: ['HS256'],
      issuer: config.env.CDP_JWT_ISSUER,
      audience: config.env.CDP_JWT_AUDIENCE,
    });
  }

  validate(claims: Record<string, unknown>): Principal {
    return { subject: typeof claims.sub === 'string' ? claims.sub : '', scopes: scopesOf(claims) };
  }
}
