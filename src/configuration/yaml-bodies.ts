import {
  Injectable,
  type OnModuleInit,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { bodyText } from '../platform/http/input/body-text';
import { parseYaml } from '../platform/http/input/parse-yaml';

export const YAML_TYPE = 'application/yaml';

/** Of JSON the route takes more. Parsing costs about 6 ms a kilobyte of the worst there is. */
const MAX_YAML_BYTES = 256 * 1024;

/** Takes YAML where a document is applied, and nowhere else. */
@Injectable()
export class YamlBodies implements OnModuleInit {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.adapterHost.httpAdapter.getInstance();
    fastify.addContentTypeParser(
      YAML_TYPE,
      { parseAs: 'buffer' },
      async (request: unknown, bytes: unknown) => {
        const { routeOptions } = request as { routeOptions: { url?: string } };
        if (routeOptions.url !== '/config') throw new UnsupportedMediaTypeException('Send JSON.');
        const body = bytes as Buffer;
        if (body.length > MAX_YAML_BYTES)
          throw new PayloadTooLargeException('YAML may have 256 KB. Send JSON, as cdp does.');
        return parseYaml(bodyText(body));
      },
    );
  }
}
