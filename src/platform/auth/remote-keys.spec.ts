import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { RemoteKeys } from './remote-keys';

const LATER_MS = 20_000;

describe('RemoteKeys', () => {
  let server: Server;
  let requests = 0;
  let answer: { status: number; body: unknown };

  beforeAll(async () => {
    server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  afterEach(() => jest.restoreAllMocks());

  it('asks a provider that does not answer once, however many tokens come', async () => {
    let asked = 0;
    const end: (() => void)[] = [];
    const keys = new RemoteKeys(() => {
      asked += 1;
      return new Promise((_, reject) => end.push(() => reject(new Error('timeout'))));
    });
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { privateKey } = await generateKeyPair('ES256');
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: 'made-up' }).sign(privateKey);
    const verifying = Array.from({ length: 20 }, () => jwtVerify(token, keys.keyFor));
    for (const one of end) one();
    for (const one of verifying) await expect(one).rejects.toMatchObject({ status: 503 });
    expect(asked).toBe(1);
  });

  it.each([
    [500, {}],
    [200, 'no keys'],
  ])('asks a provider once that answers %i %j to the first of many unknown keys', async (status, body) => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const signed = (kid: string): Promise<string> =>
      new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
    answer = {
      status: 200,
      body: { keys: [{ ...(await exportJWK(publicKey)), kid: 'known', alg: 'ES256' }] },
    };
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const keys = new RemoteKeys(() => Promise.resolve(url));
    await jwtVerify(await signed('known'), keys.keyFor);
    answer = { status, body };
    requests = 0;
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + LATER_MS);
    for (let n = 0; n < 5; n += 1)
      await expect(jwtVerify(await signed(`unknown-${n}`), keys.keyFor)).rejects.toThrow('no applicable key');
    await jwtVerify(await signed('known'), keys.keyFor);
    expect(requests).toBe(1);
  });
});
