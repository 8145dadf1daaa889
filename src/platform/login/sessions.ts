import type { CookieSerializeOptions } from '@fastify/cookie';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MissingScopeError } from '../auth/auth-problems';
import type { Identity, Principal, Scope } from '../auth/principal';
import { Config } from '../config/config';
import { SecretBox } from '../secrets/secret-box';
import { parseUrl } from '../http/input/parse-url';
import { SealedCookie } from './sealed-cookie';

/** Who is logged in with a browser, and what they may do. */
interface Session extends Identity {
  readonly scopes: readonly Scope[];
  readonly expiresAt: string;
}

/** A session ends when its token does, and after a working day at the latest. */
const LONGEST_SESSION_MS = 8 * 3600_000;

/**
 * People who logged in with a browser. A session stands for the token it was made with; nothing is stored of it here.
 */
@Injectable()
export class Sessions {
  private readonly cookie: SealedCookie<Session>;

  constructor(
    private readonly config: Config,
    secretBox: SecretBox,
  ) {
    this.cookie = new SealedCookie<Session>('cdp_session', cookieOptions(config), secretBox);
  }

  /** @throws MissingScopeError for somebody who may do nothing here. */
  start(reply: FastifyReply, { subject, kind, issuer, scopes, expiresAt }: Principal): void {
    if (scopes.size === 0 && !this.config.tokens.anyIsEnough) throw new MissingScopeError('cdp:read');
    const end = new Date(Math.min(expiresAt.getTime(), Date.now() + LONGEST_SESSION_MS));
    const session = { subject, kind, issuer, scopes: [...scopes], expiresAt: end.toISOString() };
    this.cookie.write(reply, session, end);
  }

  end(reply: FastifyReply): void {
    this.cookie.clear(reply);
  }

  /** The person behind a request, or undefined when there is no session, or when another site made the request. */
  principalOf(request: FastifyRequest): Principal | undefined {
    const session = this.cookie.read(request);
    if (session === undefined || !isSafeFromForgery(request)) return undefined;
    return { ...session, scopes: new Set(session.scopes), expiresAt: new Date(session.expiresAt) };
  }
}

/**
 * For all of the service: the Management API and the queue board take the session. Without a domain, for this host
 * alone.
 */
export function cookieOptions(config: Config): CookieSerializeOptions {
  const { publicUrl } = config.management;
  const secure = publicUrl?.startsWith('https:') ?? config.production;
  return { path: '/', sameSite: 'strict', secure };
}

/**
 * Whether a request that a cookie speaks for was made by our own pages. SameSite=Strict keeps other sites out
 * already; this also keeps out other services on the same site (another port, another subdomain). What only reads
 * passes: its answer is kept from the pages of others by the browser.
 */
export function isSafeFromForgery(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  const fetchSite = request.headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin';
  const { origin, host } = request.headers;
  // Programs that are no browsers send neither.
  return origin === undefined || (host !== undefined && parseUrl(origin)?.host === host);
}
