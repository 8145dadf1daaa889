import { describeFailure } from './describe-failure';

describe('describeFailure', () => {
  const config = { url: 'http://localhost:8080/hook' };
  it.each([
    [{ errorClass: 'connect_failed' }, config, 'nobody listens at localhost:8080'],
    [{ errorClass: 'timeout' }, config, 'localhost:8080 did not answer in time'],
    [
      { errorClass: 'proxy_failed' },
      config,
      'the proxy of CDP_EGRESS_PROXY made no connection to localhost:8080',
    ],
    [{ errorClass: 'http_5xx', status: 503 }, config, 'localhost:8080 answered 503'],
    [{ errorClass: 'invalid_response' }, config, 'localhost:8080: invalid_response'],
    [{ errorClass: 'access_denied', status: 403 }, { bucket: 'events' }, 'access_denied'],
  ])('says of %j of %j: %s', (failure, destination, text) => {
    expect(describeFailure(failure, destination)).toBe(text);
  });
});
