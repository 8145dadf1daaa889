// npm run fuzz -- [--requests 100000] [--seed n]: the fuzzer of the test suite, for longer.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const { status } = spawnSync('npx', ['jest', 'test/fuzz'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    CDP_FUZZ_REQUESTS: values.requests,
    ...(values.seed === undefined ? {} : { CDP_FUZZ_SEED: values.seed }),
  },
});
process.exit(status ?? 1);
