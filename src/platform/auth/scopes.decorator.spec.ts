import { Controller, Delete, Get, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import { scopeOfRoute } from './scope-of-route';
import { Scopes } from './scopes.decorator';

@Controller('plain')
class PlainController {
  @Get()
  read(): void {}

  @Post()
  write(): void {}

  @Scopes('cdp:admin')
  @Delete()
  remove(): void {}
}

@Scopes('cdp:privacy')
@Controller('private')
class PrivateController {
  @Get()
  read(): void {}

  @Scopes('cdp:read')
  @RouteConfig({ other: true })
  @Post()
  ask(): void {}

  get notAMethod(): string {
    return 'nothing';
  }
}

@Module({ controllers: [PlainController, PrivateController] })
class RoutesModule {}

describe('@Scopes', () => {
  let app: NestFastifyApplication;
  const seen: Record<string, unknown> = {};

  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(RoutesModule, new FastifyAdapter(), {
      logger: false,
    });
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRequest', (request, _reply, done) => {
        seen[`${request.method} ${request.url}`] = [scopeOfRoute(request), request.routeOptions.config];
        done();
      });
    await app.init();
  });
  afterAll(() => app.close());

  it.each([
    ['GET', '/plain', 'cdp:read'],
    ['POST', '/plain', 'cdp:write'],
    ['DELETE', '/plain', 'cdp:admin'],
    ['GET', '/private', 'cdp:privacy'],
    ['POST', '/private', 'cdp:read'],
  ] as const)(
    '%s %s needs %s: what a method says goes before what its class says',
    async (method, url, scope) => {
      await app.inject({ method, url });
      expect(seen[`${method} ${url}`]).toMatchObject([scope, {}]);
    },
  );

  it('leaves the rest of the configuration of a route', async () => {
    await app.inject({ method: 'POST', url: '/private' });
    expect(seen['POST /private']).toMatchObject(['cdp:read', { other: true }]);
  });
});
