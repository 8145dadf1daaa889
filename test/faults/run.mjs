// @ts-check
// Breaks everything there is to break, for real, and holds each outcome against the promise: every accepted delivery
// ends delivered or dead, nothing stays pending, every signature is valid, duplicates are few and keep their id.
// node test/faults/run.mjs [part of a scenario's name]
import { Rig } from './rig.mjs';
import { hostileScenarios } from './hostile.mjs';
import { scenarios } from './scenarios.mjs';
import { stormScenarios } from './storms.mjs';

const wanted = process.argv[2] ?? '';
const all = { ...scenarios, ...hostileScenarios, ...stormScenarios };
let failed = 0;
for (const [name, { workers, env, run }] of Object.entries(all)) {
  if (!name.includes(wanted)) continue;
  const start = Date.now();
  const rig = new Rig();
  try {
    await rig.open({ workers, env });
    const result = await run(rig);
    console.log(`ok    ${name}: ${result} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rig.close();
  }
}
process.exit(failed === 0 ? 0 : 1);
