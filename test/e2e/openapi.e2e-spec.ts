import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { openApiDocument } from '../../src/openapi-document';
import { fillInExamples } from '../../src/platform/openapi/fill-in-examples';
import { aToken } from '../support/a-token';
import { runToEnd } from '../support/run-to-end';
import { startTestService, type TestService } from '../support/test-service';

const ROOT = join(__dirname, '../..');
const MODULES = join(ROOT, 'node_modules');

describe('the OpenAPI document', () => {
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    service = await startTestService();
    folder = mkdtempSync(join(tmpdir(), 'cdp-test-openapi-'));
    writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${service.url}/openapi.json`)).text());
    symlinkSync(MODULES, join(folder, 'node_modules'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.close();
  });

  const run = (script: string, ...args: string[]): { status: number | null; output: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(MODULES, script), ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    return { status, output: `${stdout}${stderr}` };
  };

  it('is the same without a database, as the types of the console are made from it', async () => {
    const served = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as object;
    expect(
      JSON.parse(
        JSON.stringify(
          fillInExamples(await openApiDocument(), { destinationUrl: 'http://localhost:8080/examples' }),
        ),
      ),
    ).toEqual(served);
  });

  it.each([
    ['POST', '/v1/batch', '/v1/batch', 'invalid_write_key'],
    ['POST', '/v1/track', '/v1/track', 'invalid_write_key'],
    ['GET', '/v1/projects/{writeKey}/settings', '/v1/projects/none/settings', 'unknown_write_key'],
    ['GET', '/profiles/{userId}', '/profiles/nobody', 'profile_not_found'],
    ['GET', '/profiles/{userId}/origins', '/profiles/nobody/origins', 'profile_not_found'],
    ['GET', '/profiles/{userId}/export', '/profiles/nobody/export', 'profile_not_found'],
    ['DELETE', '/profiles/{userId}', '/profiles/nobody', 'profile_not_found'],
    ['DELETE', '/profiles/{userId}/suppression', '/profiles/nobody/suppression', 'not_suppressed'],
    ['GET', '/groups/{groupId}', '/groups/none', 'group_not_found'],
  ])('names the code that is answered by %s %s', async (method, route, path, code) => {
    const isEvents = path.startsWith('/v1/');
    const headers = isEvents ? undefined : { authorization: `Bearer ${await aToken(service)}` };
    const answer = await fetch(`${service.url}${path}`, { method, ...(headers && { headers }) });
    expect(await answer.json()).toMatchObject({ code, status: answer.status });
    const { paths } = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as OpenAPIObject;
    const documented = paths[route]?.[method.toLowerCase() as 'get']?.responses[String(answer.status)];
    expect(documented).toMatchObject({ description: expect.stringContaining(`\`${code}\``) as string });
  });

  it('names what is not there wherever an address has an id', () => {
    const { paths } = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as OpenAPIObject;
    const nameless = Object.entries(paths)
      .filter(([route]) => route.includes('{'))
      .flatMap(([route, { get, put, post, delete: del, patch }]) =>
        [get, put, post, del, patch]
          .filter((operation) => operation !== undefined)
          .map(({ operationId, responses }) => [
            route,
            operationId,
            JSON.stringify(responses['404'] ?? null),
          ]),
      )
      .filter(([, , notFound]) => !/`(?!not_found)[a-z_]+`/.test(notFound ?? ''));
    expect(nameless).toEqual([]);
  });

  it('passes a strict linter', () => {
    const lint = ['lint', 'openapi.json', '--extends=recommended-strict', '--format=stylish'];
    const { status, output } = run('@redocly/cli/bin/cli.js', ...lint);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
  });

  it('makes a typed client that the compiler accepts and that works', async () => {
    const generated = run(
      'openapi-typescript/bin/cli.js',
      'openapi.json',
      '-o',
      'schema.d.ts',
      '--default-non-nullable=false',
    );
    expect(generated).toMatchObject({ status: 0 });
    copyFileSync(join(ROOT, 'test/fixtures/typed-client/story.ts'), join(folder, 'story.ts'));
    const options =
      '--strict --target es2022 --module nodenext --types node --skipLibCheck --outDir out story.ts';
    expect(run('typescript/bin/tsc', ...options.split(' '))).toEqual({ status: 0, output: '' });
    const told = await runToEnd(join(folder, 'out/story.js'), [service.url, await aToken(service)]);
    expect(told).toEqual({ code: 0, output: expect.any(String) as string, errors: '' });
    expect(JSON.parse(told.output)).toEqual({
      profile: 'typed',
      event: 'Typed',
      accepted: 1,
      secret: 'string',
      sources: 1,
      changedToText: true,
    });
  });
});
