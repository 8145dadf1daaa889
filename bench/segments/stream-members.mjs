// @ts-check
// The members of a large segment over HTTP: how fast, and in how much memory.
import { accessToken } from '../support/access-token.mjs';
import { residentMegabytes } from '../support/process-stats.mjs';
import { startService } from '../support/service.mjs';
import { fillProfiles } from './fill-profiles.mjs';
import { addSegment, openParts } from './parts.mjs';
import { figure } from '../support/figures.mjs';

export async function measure(bench, { profiles }) {
  await fillProfiles(bench.query, profiles);
  const parts = openParts(bench.url);
  const segmentId = await addSegment(parts.database, []);
  await parts.upkeep.computeNow(segmentId, Number.POSITIVE_INFINITY);
  await parts.close();
  const service = await startService({ databaseUrl: bench.url });
  try {
    await read(service, segmentId, 'application/json'); // Warms up: code, connections, the heap's first growth.
    for (const accept of ['application/json', 'application/x-ndjson']) {
      const before = residentMegabytes(service.pid).now;
      const { bytes, seconds, peak } = await read(service, segmentId, accept);
      figure('segments: reading members', accept, profiles / seconds, 'members/s');
      console.log(
        `${profiles} members as ${accept}: ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s ` +
          `(${(profiles / seconds / 1000).toFixed(0)},000 members/s), memory ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most`,
      );
    }
  } finally {
    await service.stop();
  }
}

async function read({ url, pid }, segmentId, accept) {
  const start = performance.now();
  const answer = await fetch(`${url}/segments/${segmentId}/members`, {
    headers: { accept, authorization: `Bearer ${await accessToken('benchmark-jwt-secret', 'cdp:read')}` },
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  let bytes = 0;
  let peak = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    peak = Math.max(peak, residentMegabytes(pid).now);
  }
  return { bytes, peak, seconds: (performance.now() - start) / 1000 };
}
