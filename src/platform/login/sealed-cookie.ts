import fastifyCookie, { type CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SecretBox } from '../secrets/secret-box';

/** The content of a cookie, and when it expires. It is sealed, so that the browser can neither read nor change it. */
interface Envelope {
  readonly cookie: string;
  readonly expiresAt: number;
  readonly value: unknown;
}

/**
 * A cookie whose content only this service can read and make. Its name is sealed in: one is never taken for another.
 */
export class SealedCookie<Value> {
  private readonly name: string;

  constructor(
    name: string,
    private readonly options: CookieSerializeOptions,
    private readonly secretBox: SecretBox,
  ) {
    // A browser takes a cookie with this prefix from this host alone: another one of the domain cannot set it.
    this.name = options.secure === true ? `__Host-${name}` : name;
  }

  write(reply: FastifyReply, value: Value, expiresAt: Date): void {
    const envelope: Envelope = { cookie: this.name, expiresAt: expiresAt.getTime(), value };
    const sealed = this.secretBox.seal(JSON.stringify(envelope));
    void reply.setCookie(this.name, sealed, { ...this.options, httpOnly: true, expires: expiresAt });
  }

  /** @returns undefined when there is no such cookie, or it is expired, or it is not ours. */
  read(request: FastifyRequest): Value | undefined {
    // It is read here and not by the plugin, which runs after the hooks of the whole service.
    const sealed = fastifyCookie.parse(request.headers.cookie ?? '')[this.name];
    if (sealed === undefined) return undefined;
    const envelope = this.open(sealed);
    if (envelope?.cookie !== this.name || envelope.expiresAt < Date.now()) return undefined;
    return envelope.value as Value;
  }

  clear(reply: FastifyReply): void {
    void reply.clearCookie(this.name, { ...this.options, httpOnly: true });
  }

  private open(sealed: string): Envelope | undefined {
    const text = this.secretBox.tryOpen(sealed);
    return text === undefined ? undefined : (JSON.parse(text) as Envelope);
  }
}
