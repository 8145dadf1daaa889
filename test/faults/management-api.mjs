// @ts-check
import { SignJWT } from 'jose';
import { startService } from '../../bench/delivery/fixture.mjs';

/**
 * A process beside the workers, and calls to it: `{ status, body }`, body undefined where the answer has none.
 * @param {import('./rig.mjs').Rig} rig
 */
export async function openManagementApi(rig) {
  const service = await startService(rig.fixture, { CDP_ROLES: 'management', CDP_LOG_LEVEL: 'fatal' });
  const token = await new SignJWT({ scope: 'cdp:admin cdp:write cdp:read' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('storm')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(Buffer.from('bench-jwt-secret-of-some-length'));
  return {
    /**
     * @param {string} method
     * @param {string} path
     * @param {object} [body]
     */
    async call(method, path, body) {
      const response = await fetch(service.url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    close: () => service.stop(),
  };
}
