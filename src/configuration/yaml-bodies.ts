import { Injectable, type OnModuleInit, UnsupportedMediaTypeException } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { parse, YAMLError } from 'yaml';
import { InvalidRequestError } from '../platform/http/problem';

export const YAML_TYPE = 'application/yaml';

/** Takes YAML where a document is applied, and nowhere else. */
@Injectable()
export class YamlBodies implements OnModuleInit {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.adapterHost.httpAdapter.getInstance();
    fastify.addContentTypeParser(
      YAML_TYPE,
      { parseAs: 'string' },
      async (request: unknown, text: unknown) => {
        const { routeOptions } = request as { routeOptions: { url?: string } };
        if (routeOptions.url !== '/config') throw new UnsupportedMediaTypeException('Send JSON.');
        return parseYaml(String(text));
      },
    );
  }
}

function parseYaml(text: string): unknown {
  try {
    // The core schema makes plain data only, and aliases are few: no bomb.
    return parse(text, { schema: 'core', maxAliasCount: 100, prettyErrors: true });
  } catch (error) {
    // Beside what the parser says, a RangeError of YAML that is nested too deep.
    const message =
      error instanceof YAMLError || error instanceof ReferenceError
        ? error.message
        : 'It is nested too deep.';
    throw new InvalidRequestError([
      { path: '', code: 'invalid_yaml', message: `This is not valid YAML. ${message}` },
    ]);
  }
}
