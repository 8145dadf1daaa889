// @ts-check
// Each scenario breaks something for real while deliveries are under way. It answers what the rig found out.
import { setTimeout as delay } from 'node:timers/promises';

const COUNT = 1_500;
/** `CDP_DELIVERY_CONCURRENCY`: tries under way to one destination. The receiver may have taken each of them. */
export const UNDER_WAY = 32;
/** `MAX_UNRECORDED` of the outcome writer: with so many outcomes not committed, a process starts no try. */
const UNRECORDED = 200;
/** What is sent again when a worker is killed: what it had under way or not committed, the last try started at 199. */
export const IN_HAND = UNRECORDED - 1 + UNDER_WAY;

/** How long others leave a delivery to its job while all is well, as by default. */
const GRACE_SECONDS = 30;
const USUAL_GRACE = { CDP_DELIVERY_GRACE_MS: `${GRACE_SECONDS * 1000}` };

/** @type {import('./rig.mjs').Scenarios} */
export const scenarios = {
  'a worker is killed before its first POST': {
    async run(rig) {
      rig.onConnection = once(() => rig.killWorkers());
      const ids = await rig.accept(COUNT);
      await untilDead(rig);
      await rig.startWorker();
      return rig.settle(ids, { maxDuplicates: IN_HAND });
    },
  },
  'a worker is killed after the receiver has answered 200': {
    async run(rig) {
      rig.behaviour = (_request, response, number) => {
        response.end();
        if (number === 400) response.on('finish', () => rig.killWorkers());
      };
      const ids = await rig.accept(COUNT);
      await untilDead(rig);
      await rig.startWorker();
      return rig.settle(ids, { maxDuplicates: IN_HAND });
    },
  },
  'two workers in a row are killed on the same job': {
    async run(rig) {
      const kills = [200, 201];
      rig.behaviour = (_request, response, number) => {
        if (number === kills[0]) rig.killWorkers();
        response.end();
      };
      const ids = await rig.accept(COUNT);
      await untilDead(rig);
      const seen = rig.requests.length;
      rig.behaviour = (_request, response, number) => {
        if (number === seen + 1) rig.killWorkers();
        response.end();
      };
      await rig.startWorker();
      await untilDead(rig);
      rig.behaviour = (_request, response) => response.end();
      await rig.startWorker();
      return rig.settle(ids, { maxDuplicates: 2 * IN_HAND });
    },
  },
  'one of two workers is killed every second, five times': {
    workers: 2,
    async run(rig) {
      rig.behaviour = (_request, response) => setTimeout(() => response.end(), 30);
      const ids = await rig.accept(2 * COUNT);
      for (let kill = 0; kill < 5; kill += 1) {
        await delay(1_000);
        await rig.replaceWorker();
      }
      return rig.settle(ids, { maxDuplicates: 5 * IN_HAND });
    },
  },
  'what a killed worker held is delivered by another within ten seconds': {
    workers: 2,
    env: USUAL_GRACE,
    async run(rig) {
      let killedAt = 0;
      rig.behaviour = (_request, response, number) => {
        if (number === 300) {
          rig.killOldestWorker();
          killedAt = Date.now();
        }
        setTimeout(() => response.end(), 30);
      };
      const ids = await rig.accept(COUNT, GRACE_SECONDS);
      return withinTenSeconds(() => killedAt, await rig.settle(ids, { maxDuplicates: IN_HAND }));
    },
  },
  'what Redis has lost is delivered within ten seconds': {
    env: USUAL_GRACE,
    async run(rig) {
      await rig.queue.pause();
      const ids = await rig.accept(COUNT, GRACE_SECONDS);
      const lostAt = Date.now();
      await rig.fixture.restartRedis();
      return withinTenSeconds(() => lostAt, await rig.settle(ids, { maxDuplicates: 0 }));
    },
  },
  'Redis is emptied while jobs wait': {
    async run(rig) {
      rig.behaviour = (_request, response) => setTimeout(() => response.end(), 20);
      const ids = await rig.accept(COUNT);
      await rig.untilReceived(100);
      await rig.redisCommand('flushall');
      return rig.settle(ids, { maxDuplicates: 0 });
    },
  },
  'Redis is frozen for six seconds': {
    async run(rig) {
      rig.behaviour = (_request, response) => setTimeout(() => response.end(), 20);
      const ids = await rig.accept(COUNT);
      await rig.untilReceived(100);
      rig.signalRedis('SIGSTOP');
      const more = await rig.accept(200);
      await delay(6_000);
      rig.signalRedis('SIGCONT');
      return rig.settle([...ids, ...more], { maxDuplicates: 0 });
    },
  },
  'Redis is killed and comes back empty': {
    async run(rig) {
      rig.behaviour = (_request, response) => setTimeout(() => response.end(), 20);
      const ids = await rig.accept(COUNT);
      await rig.untilReceived(100);
      await rig.fixture.restartRedis();
      return rig.settle(ids, { maxDuplicates: 0 });
    },
  },
  'Redis is full': {
    async run(rig) {
      await rig.redisCommand('config', 'set', 'maxmemory', '1mb');
      const ids = await rig.accept(COUNT);
      await delay(4_000);
      await rig.redisCommand('config', 'set', 'maxmemory', '0');
      return rig.settle(ids, { maxDuplicates: 0 });
    },
  },
  'PostgreSQL crashes and recovers mid-batch': {
    async run(rig) {
      rig.behaviour = (_request, response) => setTimeout(() => response.end(), 20);
      const ids = await rig.accept(COUNT);
      await rig.untilReceived(300);
      await rig.fixture.crashPostgres();
      return rig.settle(ids, { maxDuplicates: IN_HAND });
    },
  },
  'PostgreSQL itself is killed and started again mid-batch': {
    run: (rig) => whilePostgresRestarts(rig, 'SIGKILL'),
  },
  'PostgreSQL is restarted by its operator mid-batch': {
    run: (rig) => whilePostgresRestarts(rig, 'SIGINT'),
  },
  'the receiver hangs, drips, then recovers': {
    async run(rig) {
      rig.behaviour = (_request, response, number) => {
        if (number % 2 === 0) return;
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 100);
        response.on('close', () => clearInterval(drip));
      };
      const ids = await rig.accept(COUNT);
      await delay(5_000);
      const tried = rig.requests.length;
      rig.behaviour = (_request, response) => response.end();
      return rig.settle(ids, { maxDuplicates: tried + 50 });
    },
  },
  'the receiver answers 500 for ten seconds': {
    async run(rig) {
      rig.behaviour = (_request, response) => response.writeHead(500).end();
      const ids = await rig.accept(COUNT);
      await delay(10_000);
      const tried = rig.requests.length;
      if (tried > 400) throw new Error(`${tried} tries were burned on a receiver that is down`);
      rig.behaviour = (_request, response) => response.end();
      return rig.settle(ids, { maxDuplicates: tried + 50 });
    },
  },
  'the receiver flaps': {
    async run(rig) {
      rig.behaviour = (_request, response) => {
        response.writeHead(Math.floor(Date.now() / 500) % 2 === 0 ? 200 : 503).end();
      };
      const ids = await rig.accept(COUNT);
      return rig.settle(ids, { maxDuplicates: COUNT });
    },
  },
  'the receiver closes kept connections without an answer': {
    async run(rig) {
      let served = 0;
      rig.behaviour = (request, response) => {
        served += 1;
        if (served % 7 === 0) request.socket.destroy();
        else response.end();
      };
      const ids = await rig.accept(COUNT);
      return rig.settle(ids, { maxDuplicates: COUNT });
    },
  },
};

/**
 * @param {import('./rig.mjs').Rig} rig
 * @param {NodeJS.Signals} signal
 */
async function whilePostgresRestarts(rig, signal) {
  rig.behaviour = (_request, response) => setTimeout(() => response.end(), 20);
  const ids = await rig.accept(COUNT);
  await rig.untilReceived(300);
  await rig.fixture.restartPostgres(signal);
  return rig.settle(ids, { maxDuplicates: IN_HAND });
}

/** @param {() => void} action */
function once(action) {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}

/** @param {import('./rig.mjs').Rig} rig */
async function untilDead(rig) {
  const until = Date.now() + 60_000;
  while (rig.workers.length > 0) {
    if (Date.now() > until) throw new Error('The moment of the kill never came.');
    await delay(20);
  }
}

/**
 * @param {() => number} since
 * @param {string} result
 */
function withinTenSeconds(since, result) {
  const seconds = (Date.now() - since()) / 1000;
  if (seconds > 10) throw new Error(`It took ${seconds.toFixed(1)} s: ${result}`);
  return `${result}, the last ${seconds.toFixed(1)} s after the loss`;
}
