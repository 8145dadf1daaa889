// @ts-check
// The attacks of `strangers.mjs`, and the process that carries out one of them:
// node stranger-attacks.mjs <name> <url> <seconds> prints how often each status was answered.
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

/**
 * @typedef {{ method?: string, path: string, headers?: import('node:http').OutgoingHttpHeaders, body?: string | Buffer,
 *   part?: Buffer }} AttackRequest with `part` the body is not ended
 * @typedef {{ connections: number, make: () => AttackRequest }} Attack
 */

const KB = 1024;
const BATCH_BYTES = 560 * KB;
const BODY_BYTES = 1_000 * KB;
const json = { 'content-type': 'application/json' };
const yaml = { 'content-type': 'application/yaml' };
/** @type {(bytes: number, part: string) => string} */
const fill = (bytes, part) => part.repeat(Math.floor(bytes / part.length));
/** @type {(bytes: number, part: (index: number) => string) => string} */
const count = (bytes, part) => {
  let text = '';
  for (let index = 0; text.length < bytes; index += 1) text += part(index);
  return text;
};
/** @param {number} key */
const basic = (key) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
let sequence = 0;

/**
 * What is sent again and again over `connections`; a function makes each request anew.
 * @type {Record<string, Attack>}
 */
export const ATTACKS = {
  'YAML with 20,000 keys': put(
    '/config',
    yaml,
    count(250 * KB, (index) => `key${index}: 1\n`),
  ),
  'YAML with anchors': put(
    '/config',
    yaml,
    count(250 * KB, (index) => `- &a${index} x\n- *a${index}\n`),
  ),
  'JSON of 1 MB': post('/sources', json, `[${fill(BODY_BYTES, '{},')}{}]`),
  'JSON of 1 MB to nowhere': post('/no-such-path', json, `[${fill(BODY_BYTES, '{},')}{}]`),
  'invented tokens': {
    connections: 20,
    make: () => ({
      path: '/sources',
      headers: { authorization: `Bearer eyJhbGciOiJIUzI1NiJ9.${(sequence += 1)}.x` },
    }),
  },
  'a batch of empty objects': post('/v1/batch', json, `{"batch":[${fill(BATCH_BYTES, '{},')}{}]}`),
  'a batch with invented keys': post(
    '/v1/batch',
    json,
    `{"batch":[${fill(BATCH_BYTES, '{"writeKey":"no"},')}{}]}`,
  ),
  'a batch that is no UTF-8': post('/v1/batch', json, Buffer.alloc(BATCH_BYTES, 0x80)),
  'a gzip bomb': post(
    '/v1/batch',
    { ...json, 'content-encoding': 'gzip' },
    gzipSync(Buffer.alloc(BATCH_BYTES, '[')),
    200,
  ),
  'a gzip bomb that is too large': post(
    '/v1/batch',
    { ...json, 'content-encoding': 'gzip' },
    gzipSync(Buffer.alloc(50_000 * KB, '[')),
    200,
  ),
  brotli: post(
    '/v1/batch',
    { ...json, 'content-encoding': 'br' },
    Buffer.from('5bffff7f00000000', 'hex'),
    200,
  ),
  'keys in the headers': {
    connections: 20,
    make: () => ({
      path: '/v1/batch',
      method: 'POST',
      headers: { authorization: basic((sequence += 1)) },
      body: '{"batch":[]}',
    }),
  },
  'bodies that do not come': { connections: 500, make: () => trickle('/v1/batch', 1) },
  'bodies that stop before the end': { connections: 100, make: () => trickle('/v1/batch', 500 * KB) },
  'logins with long tokens': post(
    '/login',
    { 'content-type': 'application/x-www-form-urlencoded' },
    `token=${fill(1_000 * KB, 'a')}`,
  ),
};

/** @returns {Attack} */
function post(path, headers, body, connections = 20) {
  return { connections, make: () => ({ method: 'POST', path, headers, body }) };
}

/** @returns {Attack} */
function put(path, headers, body) {
  return { connections: 20, make: () => ({ method: 'PUT', path, headers, body }) };
}

/**
 * Sends a part of the body it announces.
 * @param {string} path
 * @param {number} bytes
 */
function trickle(path, bytes) {
  return {
    method: 'POST',
    path,
    headers: { ...json, 'content-length': 550 * KB },
    part: Buffer.alloc(bytes, ' '),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , name, url, seconds] = process.argv;
  console.log(JSON.stringify(await carryOut(ATTACKS[name], url, Number(seconds) * 1000)));
  process.exit(0);
}

/**
 * How often each status, or error, was the answer.
 * @param {Attack} attack
 * @param {string} url
 * @param {number} durationMs
 */
async function carryOut({ connections, make }, url, durationMs) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  /** @type {Record<string, number>} */
  const answers = {};
  const until = Date.now() + durationMs;
  const attack = async () => {
    while (Date.now() < until) {
      const status = await Promise.race([send(url, agent, make()), delay(until - Date.now(), 'none')]);
      answers[status] = (answers[status] ?? 0) + 1;
      if (typeof status !== 'number') await delay(10);
    }
  };
  await Promise.all(Array.from({ length: connections }, attack));
  return answers;
}

/**
 * @param {string} url
 * @param {Agent} agent
 * @param {AttackRequest} attack
 * @returns {Promise<string | number>}
 */
function send(url, agent, { path, method = 'GET', headers, body, part }) {
  return new Promise((resolve) => {
    const sent = request(new URL(path, url), { agent, method, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(Number(response.statusCode)));
    });
    sent.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code ?? 'error'));
    if (part === undefined) sent.end(body);
    else sent.write(part);
  });
}
