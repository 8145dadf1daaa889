import type { FastifyReply, FastifyRequest } from 'fastify';
import { MissingScopeError, UnauthorizedError } from '../auth/auth-problems';
import { type Identity, mayUse, type Principal } from '../auth/principal';
import { InvalidTokenError } from '../auth/refused-token';
import type { TokenVerifier } from '../auth/token-verifier';
import type { SealedCookie } from './sealed-cookie';

/** The person who is logged in to the queue board. */
export type BoardSession = Identity;

/** A session ends when its token does, and after a working day at the latest. */
const LONGEST_SESSION_MS = 8 * 3600_000;

/** Decides who may see and touch the queues: tokens with `cdp:admin`, and people who logged in with one. */
export class BoardAccess {
  constructor(
    private readonly verifier: TokenVerifier,
    private readonly sessions: SealedCookie<BoardSession>,
    private readonly anyTokenIsEnough: boolean,
  ) {}

  /** @returns who it is. @throws UnauthorizedError, MissingScopeError, DependencyDownError */
  async check(request: FastifyRequest): Promise<Identity> {
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() === 'bearer' && token !== undefined) {
      const principal = await this.principalOf(token);
      this.demandAdmin(principal);
      return principal;
    }
    const session = this.sessions.read(request);
    if (session === undefined || !isSafeFromForgery(request)) throw new UnauthorizedError(false);
    return session;
  }

  /** Starts a session for the owner of a token. @throws as `check` */
  async logIn(reply: FastifyReply, token: string): Promise<void> {
    this.startSession(reply, await this.principalOf(token));
  }

  /** @throws MissingScopeError */
  startSession(reply: FastifyReply, principal: Principal): void {
    this.demandAdmin(principal);
    const end = Math.min(principal.expiresAt.getTime(), Date.now() + LONGEST_SESSION_MS);
    const { subject, kind, issuer } = principal;
    this.sessions.write(reply, { subject, kind, issuer }, new Date(end));
  }

  logOut(reply: FastifyReply): void {
    this.sessions.clear(reply);
  }

  private async principalOf(token: string): Promise<Principal> {
    try {
      return await this.verifier.verify(token);
    } catch (error) {
      throw error instanceof InvalidTokenError ? new UnauthorizedError(true) : error;
    }
  }

  private demandAdmin(principal: Principal): void {
    if (!this.anyTokenIsEnough && !mayUse(principal, 'cdp:admin')) throw new MissingScopeError('cdp:admin');
  }
}

/**
 * Whether a request that a cookie speaks for was made by our own pages. SameSite=Strict keeps other sites out
 * already; this also keeps out other services on the same site (another port, another subdomain).
 */
export function isSafeFromForgery(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  const fetchSite = request.headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin';
  const { origin, host } = request.headers;
  // Programs that are no browsers send neither.
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
