import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { ExtractJwt, Strategy } from 'passport-jwt';
import type { Principal } from './principal';
import { InvalidTokenError } from './refused-token';
import { TokenVerifier } from './token-verifier';

const bearerToken = ExtractJwt.fromAuthHeaderAsBearerToken();

/**
 * passport-jwt's strategy with jose in the place of jsonwebtoken, which knows neither EdDSA nor remote key sets
 * that rotate.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly verifier: TokenVerifier) {
    super({ jwtFromRequest: bearerToken, secretOrKeyProvider: (_request, _token, done) => done(null) });
  }

  override authenticate(request: Request): void {
    const token = bearerToken(request);
    if (token === null) {
      this.fail(401);
      return;
    }
    this.verifier.verify(token).then(
      (principal) => this.success(principal),
      (error: Error) => (error instanceof InvalidTokenError ? this.fail(401) : this.error(error)),
    );
  }

  /** Asked for by PassportStrategy; what there is to validate, the verifier has validated. */
  validate(principal: Principal): Principal {
    return principal;
  }
}
