import { Logger } from '@nestjs/common';
import { Config } from '../config/config';
import { announce } from './banner';

const URL_TO_CLICK = 'http://127.0.0.1:3111';

describe('the address of a service that listens', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is in the log of production the one that it listens on', () => {
    const log = jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    announce(Config.from({ NODE_ENV: 'production' }), URL_TO_CLICK, 1_000);
    expect(log).toHaveBeenCalledWith(
      'Listening',
      expect.objectContaining({ host: '0.0.0.0', port: 3111, startedInMs: 1_000 }),
    );
    expect(JSON.stringify(log.mock.calls)).not.toContain('127.0.0.1');
  });

  it.each([
    [{}, false],
    [{ HOST: '0.0.0.0' }, true],
  ])('with %j is one to click on, and the other is said: %p', (env, isSaid) => {
    const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    announce(Config.from(env), URL_TO_CLICK, 1_000);
    const text = String(written.mock.calls[0]?.[0]);
    expect(text).toContain(`${URL_TO_CLICK}/console`);
    expect(text.includes('Listens on  0.0.0.0, port 3111')).toBe(isSaid);
  });

  const provider = { CDP_JWT_JWKS_URL: 'http://127.0.0.1:8080/keys' };

  it.each([
    [{}, 'npm run token'],
    [{ CDP_DATA_DIR: 'here' }, 'CDP_DATA_DIR=here npm run token'],
    [provider, 'npx cdp token --bootstrap'],
    [{ ...provider, CDP_DATA_DIR: 'here' }, 'CDP_DATA_DIR=here npx cdp token --bootstrap'],
    [{ ...provider, CDP_BOOTSTRAP_TOKENS: 'false' }, undefined],
  ])('with %j comes with a command for a token that is taken: %p', (env, command) => {
    const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    announce(Config.from(env), URL_TO_CLICK, 1_000);
    expect(/ {2}A token +(.*)/.exec(String(written.mock.calls[0]?.[0]))?.[1]).toBe(command);
  });
});
