// @ts-check
// Receivers that break HTTP in every way they can, and operators who change their mind while deliveries are under way.
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { addDestination } from '../../bench/delivery/fixture.mjs';
import { listenLocally } from './listen-locally.mjs';
import { openManagementApi } from './management-api.mjs';
import { until } from './rig.mjs';

const EVENTS = 20;
const HOSTILE_MS = 6_000;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const DAY_SECONDS = 24 * 60 * 60;

/** @typedef {(socket: import('node:net').Socket) => void} Answer */

/**
 * What each receiver does with a socket on which a request has come. Those of `TAKEN` are answers all the same.
 * @type {Record<string, Answer>}
 */
const TAKEN = {
  'ten megabytes': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${160 * CHUNK.length}\r\n\r\n`);
    for (let n = 0; n < 160; n += 1) socket.write(CHUNK);
  },
  'an endless answer': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    pour(socket, CHUNK);
  },
  'a bomb that says it is gzip': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n');
    pour(socket, `10000\r\n${CHUNK.toString()}\r\n`);
  },
};
/** @type {Record<string, Answer>} */
const REFUSED = {
  'headers that drip': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Long: ', 'x'),
  'a body that drips': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', 'x'),
  'endless early hints': (socket) =>
    pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500)),
  'endless headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, `X-Long: ${'x'.repeat(1_000)}\r\n`);
  },
  'broken chunks': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nx\r\n'),
  'an answer cut short': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello'),
  '200 and a reset': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello');
    setTimeout(() => socket.resetAndDestroy(), 20);
  },
  'a reset': (socket) => socket.resetAndDestroy(),
  'no HTTP at all': (socket) => socket.write('220 mail.example.com ESMTP\r\n'),
  'two lengths': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n'),
  'a switch of protocols': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  'a redirect to itself': (socket) =>
    socket.write('HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'),
};

/** @type {import('./rig.mjs').Scenarios} */
export const hostileScenarios = {
  'receivers break HTTP in every way, then behave': {
    async run(rig) {
      const kinds = { ...TAKEN, ...REFUSED };
      let behaves = false;
      /** @type {import('node:net').Server[]} */
      const receivers = [];
      /** @param {Answer} answer */
      const open = async (answer) => {
        const server = createServer((socket) => {
          socket.on('error', () => undefined);
          socket.on('data', (data) => {
            if (!data.includes('POST ')) return;
            if (behaves) socket.write(OK);
            else answer(socket);
          });
        });
        receivers.push(server);
        return `${await listenLocally(server)}/`;
      };
      try {
        /** @type {string[]} */
        const ids = [];
        for (const [name, answer] of Object.entries(kinds))
          ids.push(...(await acceptAt(rig, name, await open(answer))));
        // Beside them all a healthy destination is served as if it were alone.
        const healthy = await rig.accept(500);
        const start = Date.now();
        await until(
          async () => (await rig.states(healthy)).delivered === 500,
          'The healthy neighbour waits.',
          10_000,
        );
        const neighbour = Date.now() - start;
        await delay(Math.max(0, HOSTILE_MS - neighbour));
        const taken = (await rig.states(ids.slice(0, EVENTS * Object.keys(TAKEN).length))).delivered ?? 0;
        if (taken !== EVENTS * Object.keys(TAKEN).length)
          throw new Error(`Only ${taken} of the long answers counted.`);
        behaves = true;
        await until(
          async () => (await rig.states(ids)).delivered === ids.length,
          () => rig.states(ids),
          90_000,
        );
        return `${ids.length} delivered; 500 to the neighbour in ${neighbour} ms; ${rig.checkMemory()} MB at most`;
      } finally {
        for (const server of receivers) server.close();
      }
    },
  },
  'a receiver wants to wait for ever': {
    async run(rig) {
      const wishes = ['99999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT', '-5', 'NaN', '1e400', ''];
      rig.behaviour = (_request, response, number) =>
        response.writeHead(503, { 'Retry-After': wishes[number % wishes.length] }).end();
      const ids = await rig.accept(wishes.length * 3);
      // Then the breaker is open; what it keeps from being tried has no wait of a receiver's.
      await delay(5_000);
      const { rows } = await rig.client.query(
        `select max(extract(epoch from due_at - now()))::float8 as seconds from delivery where id = any($1::uuid[])`,
        [ids],
      );
      if (rows[0].seconds > DAY_SECONDS + 60) throw new Error(`A try waits for ${rows[0].seconds} s.`);
      if (rig.requests.length === 0) throw new Error('Nothing was tried.');
      return `no try waits longer than ${(rows[0].seconds / 3600).toFixed(1)} hours`;
    },
  },
  'a thousand destinations are changed, paused, resumed and deleted while they are sent to': {
    async run(rig) {
      rig.behaviour = (_request, response) => setTimeout(() => response.end(), Math.random() * 50);
      const api = await openManagementApi(rig);
      /** @type {string[]} */
      const ids = [];
      /** @type {string[]} */
      const destinations = [];
      for (let n = 0; n < 1_000; n += 1) {
        destinations.push(await addDestination(rig.client, `storm ${n}`, `${rig.url}/storm/${n}`));
      }
      const sending = (async () => {
        for (const id of destinations) ids.push(...(await rig.acceptFor(id, 3)));
      })();
      const gone = new Set();
      /** @type {string[]} */
      const refused = [];
      let changes = 0;
      /** @param {number} offset */
      const storm = async (offset) => {
        for (let n = offset; n < 1_000; n += 4) {
          const id = destinations[(n * 7) % 1_000];
          const path = `/destinations/${id}`;
          /** @type {(method: string, to: string, body?: object) => Promise<void>} */
          const call = async (method, to, body) => {
            const { status } = await api.call(method, to, body);
            changes += 1;
            if (status >= 300) refused.push(`${method} ${to}: ${status}`);
          };
          await call('PUT', path, { name: `changed ${n}` });
          for (const action of ['pause', 'rotate-secret', 'resume']) await call('POST', `${path}/${action}`);
          if (n % 5 === 0) await call('DELETE', path);
          if (n % 5 === 0) gone.add(id);
        }
      };
      try {
        await Promise.all([sending, ...[0, 1, 2, 3].map(storm)]);
        await until(
          async () => (await rig.states(ids)).pending === undefined,
          () => rig.states(ids),
          90_000,
        );
      } finally {
        await api.close();
      }
      if (refused.length > 0) throw new Error(`Refused: ${refused.slice(0, 10).join(', ')}`);
      const { rows } = await rig.client.query(
        `select count(*)::int from delivery
         where id = any($1::uuid[]) and state <> 'delivered' and not (state = 'cancelled' and destination_id = any($2::uuid[]))`,
        [ids, [...gone]],
      );
      if (rows[0].count > 0)
        throw new Error(`${rows[0].count} deliveries of living destinations did not arrive.`);
      const again = rig.requests.length - new Set(rig.requests).size;
      if (again > 0) throw new Error(`${again} were sent again.`);
      const states = await rig.states(ids);
      return `${changes} changes; ${states.delivered} delivered, ${states.cancelled ?? 0} cancelled; ${rig.checkMemory()} MB at most`;
    },
  },
};

/**
 * @param {import('./rig.mjs').Rig} rig
 * @param {string} name
 * @param {string} url
 */
async function acceptAt(rig, name, url) {
  return rig.acceptFor(await addDestination(rig.client, name, url), EVENTS);
}

/**
 * Writes for as long as the other side reads.
 * @param {import('node:net').Socket} socket
 * @param {string | Buffer} data
 */
function pour(socket, data) {
  const more = () => {
    while (!socket.destroyed && socket.write(data));
  };
  socket.on('drain', more);
  more();
}

/**
 * @param {import('node:net').Socket} socket
 * @param {string} start
 * @param {string} drop
 */
function drip(socket, start, drop) {
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), 50);
  socket.on('close', () => clearInterval(timer));
}
