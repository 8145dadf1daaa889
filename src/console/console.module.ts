import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { ConsoleNotBuiltError, PageFileNotFoundError } from './console-problems';
import { type PageFile, readPageFiles } from './page-files';
import { sendIndex } from './send-index';
import { sendPageFile } from './send-page-file';

/** Serves the web page that `console/` is built into. It holds no data: what it shows comes from the Management API. */
@Module({})
export class ConsoleModule implements OnModuleInit {
  private readonly files = readPageFiles();

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.adapterHost.httpAdapter.getInstance();
    fastify.get('/', (_request, reply) => reply.redirect('/console'));
    fastify.get('/favicon.ico', (_request, reply) => reply.redirect(this.iconPath()));
    // The page has many addresses, one for each thing it shows.
    for (const path of ['/console', '/console/*'])
      fastify.get(path, (_request, reply) => sendIndex(this.index(), reply));
    fastify.get<{ Params: { name: string } }>('/console/assets/:name', (request, reply) =>
      sendPageFile(this.asset(request.params.name), request, reply),
    );
  }

  private index(): PageFile {
    const index = this.files.get('index.html');
    if (index === undefined) throw new ConsoleNotBuiltError();
    return index;
  }

  /** For pages that name no icon, such as that of the login. */
  private iconPath(): string {
    const icon = [...this.files.keys()].find((path) => /^assets\/icon-[^/]+\.svg$/.test(path));
    if (icon === undefined) throw new ConsoleNotBuiltError();
    return `/console/${icon}`;
  }

  private asset(name: string): PageFile {
    const file = this.files.get(`assets/${name}`);
    if (file === undefined) throw new PageFileNotFoundError();
    return file;
  }
}
