// @ts-check
// What happens to many deliveries at once while several workers send: receivers that go for good, secrets that change,
// crowds of receivers that misbehave, and workers that are killed meanwhile.
import { setTimeout as delay } from 'node:timers/promises';
import { addDestination, SECRET } from '../../bench/delivery/fixture.mjs';
import { openManagementApi } from './management-api.mjs';
import { isSignedWith, until } from './rig.mjs';
import { IN_HAND, UNDER_WAY } from './scenarios.mjs';

const COUNT = 1_500;

const ROTATIONS = 3;
/** What was claimed before a change is sent within this time, and all know of the change: a second, on an idle machine. */
const SETTLED_MS = 10_000;

const DESTINATIONS = 1_000;
const HEALTHY_EVERY = 20;
const EVENTS_OF_HEALTHY = 40;
const EVENTS_OF_OTHERS = 5;
/** From the last kill on; what a worker that was killed had leased is free after 17 s. */
const HEALTHY_MS = 60_000;

/** @type {import('./rig.mjs').Scenarios} */
export const stormScenarios = {
  'a receiver answers 410 in the middle of a storm': {
    workers: 3,
    async run(rig) {
      /** @type {unknown[]} */
      const gone = [];
      let isGone = true;
      rig.behaviour = (request, response, number) => {
        const refuses = isGone && number > 300;
        if (refuses) gone.push(request.headers['webhook-id']);
        setTimeout(() => response.writeHead(refuses ? 410 : 200).end(), 10);
      };
      const api = await openManagementApi(rig);
      try {
        const path = `/destinations/${rig.destinationId}`;
        const ids = await rig.accept(COUNT);
        const health = async () => (await api.call('GET', `${path}/stats`)).body.health;
        await until(async () => (await health()).state === 'disabled', health, 20_000);
        const disabled = await health();
        await untilQuiet(rig);
        const states = await rig.states(ids);
        if (states.dead !== gone.length || new Set(gone).size !== gone.length)
          throw new Error(`${gone.length} were answered with 410: ${JSON.stringify(states)}`);
        if (gone.length > rig.workers.length * UNDER_WAY)
          throw new Error(`${gone.length} were sent to a receiver that is gone.`);
        const { pending = 0, delivered = 0, dead = 0 } = states;
        if (pending + delivered + dead !== COUNT || pending === 0)
          throw new Error(`Lost: ${JSON.stringify(states)}`);
        const { rows } = await rig.client.query('select version from destination where id = $1', [
          rig.destinationId,
        ]);
        if (Number(rows[0].version) !== 2) throw new Error(`It was changed ${rows[0].version - 1} times.`);
        if (JSON.stringify(await health()) !== JSON.stringify(disabled) || disabled.reason !== 'gone')
          throw new Error(`Two answers: ${JSON.stringify([disabled, await health()])}`);

        isGone = false;
        await api.call('POST', `${path}/resume`);
        await until(
          async () => (await rig.states(ids)).pending === undefined,
          () => rig.states(ids),
          60_000,
        );
        const resumed = await rig.states(ids);
        if (resumed.dead !== gone.length || resumed.delivered !== COUNT - gone.length)
          throw new Error(`After it was resumed: ${JSON.stringify(resumed)}`);
        const request = { destinationId: rig.destinationId, reason: 'gone', ratePerSecond: 5_000 };
        const replay = await api.call('POST', '/dead-letters/replay', request);
        if (replay.body.total !== gone.length) throw new Error(`To replay: ${JSON.stringify(replay.body)}`);
        await until(
          async () => (await rig.states(ids)).delivered === COUNT,
          () => rig.states(ids),
          60_000,
        );
        return await rig.settle(ids, { maxDuplicates: gone.length });
      } finally {
        await api.close();
      }
    },
  },
  'secrets are rotated in a storm in which workers are killed': {
    workers: 2,
    async run(rig) {
      const secrets = [{ secret: SECRET, begunAt: 0, doneAt: 0 }];
      // Checked in the end: a try may come with a new secret before the rotation is answered.
      /** @type {{ headers: import('node:http').IncomingHttpHeaders, body: Buffer, at: number }[]} */
      const requests = [];
      rig.isSigned = (headers, body) => requests.push({ headers, body, at: Date.now() }) > 0;
      rig.behaviour = (_request, response) => setTimeout(() => response.end(), 30);
      const api = await openManagementApi(rig);
      /** @param {number} overlapSeconds */
      const rotate = async (overlapSeconds) => {
        const begunAt = Date.now();
        const path = `/destinations/${rig.destinationId}/rotate-secret`;
        const { status, body } = await api.call('POST', path, { overlapSeconds });
        if (status !== 200) throw new Error(`rotate-secret: ${status}`);
        secrets.push({ secret: body.secrets.secret, begunAt, doneAt: Date.now() });
      };
      try {
        /** @type {string[]} */
        const ids = [];
        for (let n = 0; n < ROTATIONS; n += 1) {
          ids.push(...(await rig.accept(COUNT / ROTATIONS)));
          await rig.untilReceived(ids.length - COUNT / ROTATIONS + UNDER_WAY);
          await rotate(3600);
          await rig.replaceWorker();
        }
        // Nothing of it was claimed before the last rotation.
        const later = await rig.accept(COUNT / ROTATIONS);
        const sent = await rig.settle([...ids, ...later], { maxDuplicates: ROTATIONS * IN_HAND });
        await rotate(0);
        const last = await rig.accept(COUNT / ROTATIONS);
        await rig.settle([...ids, ...later, ...last], { maxDuplicates: ROTATIONS * IN_HAND });

        const values = secrets.map(({ secret }) => secret);
        // All before still sign, until a rotation without overlap ends them all.
        const signersOf = (n) => (n === ROTATIONS + 1 ? [values[n]] : values.slice(0, n + 1).toReversed());
        const wrong = requests.filter(({ headers, body, at }) => {
          const id = String(headers['webhook-id']);
          const from = secrets.findLastIndex(({ doneAt }) => doneAt + SETTLED_MS < at);
          const lowest = last.includes(id) ? ROTATIONS + 1 : later.includes(id) ? ROTATIONS : from;
          return !secrets.some(
            ({ begunAt }, n) => n >= lowest && begunAt <= at && isSignedWith(signersOf(n), headers, body),
          );
        });
        if (wrong.length > 0) throw new Error(`${wrong.length} of ${requests.length} are not signed right.`);
        return `${secrets.length - 1} rotations, ${requests.length} requests signed as they should be; ${sent}`;
      } finally {
        await api.close();
      }
    },
  },
  'most of a thousand receivers misbehave while workers are killed': {
    workers: 2,
    async run(rig) {
      rig.behaviour = (request, response, number) =>
        MANNERS[String(request.url).split('/')[1]](request, response, number);
      const kinds = Object.keys(MANNERS).filter((kind) => kind !== 'healthy');
      /** @type {string[]} */
      const healthy = [];
      /** @type {string[]} */
      const others = [];
      for (let n = 0; n < DESTINATIONS; n += 1) {
        const isHealthy = n % HEALTHY_EVERY === 0;
        const kind = isHealthy ? 'healthy' : kinds[n % kinds.length];
        const id = await addDestination(rig.client, `${kind} ${n}`, `${rig.url}/${kind}/${n}`);
        (isHealthy ? healthy : others).push(id);
      }
      /** @type {(destinations: string[], count: number) => Promise<string[]>} */
      const accept = async (destinations, count) => {
        const ids = [];
        for (const id of destinations) ids.push(...(await rig.acceptFor(id, count)));
        return ids;
      };
      const [ofOthers, ofHealthy] = await Promise.all([
        accept(others, EVENTS_OF_OTHERS),
        accept(healthy, EVENTS_OF_HEALTHY),
      ]);
      for (let kill = 0; kill < 2; kill += 1) {
        await rig.replaceWorker();
      }
      const killedAt = Date.now();
      await until(
        async () => (await rig.states(ofHealthy)).delivered === ofHealthy.length,
        async () => ['The healthy wait', await rig.states(ofHealthy)],
        HEALTHY_MS,
      );
      const healthyMs = Date.now() - killedAt;
      await until(
        async () => (await withoutReason(rig)).length === 0,
        async () => ['Nobody says why they wait', await withoutReason(rig)],
        HEALTHY_MS,
      );
      const states = await rig.states(ofOthers);
      const { delivered = 0, dead = 0, pending = 0 } = states;
      if (delivered + dead + pending !== ofOthers.length)
        throw new Error(`Lost: ${JSON.stringify(states)} of ${ofOthers.length}`);
      if (rig.badSignatures > 0) throw new Error(`${rig.badSignatures} bad signatures`);
      return (
        `${ofHealthy.length} to the healthy, the last ${(healthyMs / 1000).toFixed(1)} s after the kills; of the others ${delivered} delivered, ` +
        `${dead} dead, ${pending} wait with a reason; ${rig.checkMemory()} MB at most`
      );
    },
  },
};

/**
 * How receivers answer, by the first part of the path.
 * @type {Record<string, import('./rig.mjs').Rig['behaviour']>}
 */
const MANNERS = {
  healthy: (_request, response) => response.end(),
  hangs: () => undefined,
  drips: (_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 100);
    response.on('close', () => clearInterval(drip));
  },
  resets: (request) => request.socket.resetAndDestroy(),
  fails: (_request, response) => response.writeHead(500).end(),
  flaps: (_request, response) => response.writeHead(Date.now() % 1_000 < 500 ? 200 : 503).end(),
  dawdles: (_request, response) => setTimeout(() => response.end(), 700),
};

/**
 * Deliveries that wait although neither they nor their destination say why, by destination.
 * @param {import('./rig.mjs').Rig} rig
 */
async function withoutReason(rig) {
  const { rows } = await rig.client.query(
    `select t.name, count(*)::int from delivery d
     join destination t on t.id = d.destination_id
     left join destination_health h on h.destination_id = t.id and h.breaker = 'open' and h.reason is not null
     where d.state = 'pending' and d.error_class is null and h.destination_id is null
     group by 1`,
  );
  return rows;
}

/**
 * Nothing was sent for a while: longer than workers may not know of a change.
 * @param {import('./rig.mjs').Rig} rig
 */
async function untilQuiet(rig) {
  let seen;
  do {
    seen = rig.requests.length;
    await delay(3_000);
  } while (seen !== rig.requests.length);
}
