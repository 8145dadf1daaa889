import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/config';
import { UnknownWriteKeyError } from '../ingestion-problems';
import { Senders } from '../receiving/senders';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * What SDKs for browsers and mobiles load before they send anything. With a 404 they stop; without an integration
 * called `Segment.io` they send nothing and say nothing. They send over https unless told otherwise.
 */
@Injectable()
export class SdkSettings {
  /** Where the service is for others. */
  private readonly publicUrl: string | undefined;

  constructor(
    { management }: Config,
    private readonly senders: Senders,
  ) {
    this.publicUrl = management.publicUrl;
  }

  /** @throws UnknownWriteKeyError, StoreUnavailableError */
  async send(writeKey: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if ((await this.senders.findSource(writeKey)) === undefined) throw new UnknownWriteKeyError();
    // Where the request says the service is may be an invention: no cache may give that to anybody else.
    if (this.publicUrl === undefined) void reply.header('cache-control', 'no-store');
    const address =
      this.publicUrl === undefined ? addressOfRequest(request) : addressOf(new URL(this.publicUrl));
    const integrations = { 'Segment.io': { apiKey: writeKey, ...address } };
    return reply.send({ integrations, plan: {}, edgeFunction: {} });
  }
}

interface ApiAddress {
  /** Without a scheme. */
  readonly apiHost: string;
  readonly protocol?: string;
}

function addressOf({ host, pathname, protocol }: URL): ApiAddress {
  const apiHost = `${host}${pathname.replace(/\/$/, '')}/v1`;
  return protocol === 'https:' ? { apiHost } : { apiHost, protocol: 'http' };
}

function addressOfRequest({ host, protocol }: FastifyRequest): ApiAddress {
  const apiHost = `${host}/v1`;
  return LOOPBACK.test(host) ? { apiHost, protocol } : { apiHost };
}
