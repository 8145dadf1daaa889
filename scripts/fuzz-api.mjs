// npm run fuzz:api [-- --seconds 300] [--seed n]: requests made up from the OpenAPI document, thousands of them, against
// a service of its own. Nothing may answer 5xx, and every answer must be as documented. Needs schemathesis
// (`pip install schemathesis`), on the PATH or where SCHEMATHESIS says.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startOwnService } from './demo/own-service.mjs';

// What is valid by its schema may still be refused (an unknown source, an old If-Match), and the Events API takes more
// than it documents; so those two checks of schemathesis say nothing here.
const CHECKS =
  'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance,ignored_auth';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '300' }, seed: { type: 'string' } },
});
const schemathesis = process.env.SCHEMATHESIS ?? 'schemathesis';
if (spawnSync(schemathesis, ['--version']).status !== 0) {
  console.error(
    'There is no schemathesis here: pip install schemathesis, or set SCHEMATHESIS to where it is.',
  );
  process.exit(1);
}

process.env.CDP_MANAGEMENT_REQUESTS_PER_MINUTE = '0';
process.env.CDP_AUTH_ANY_TOKEN = 'false';
const service = await startOwnService();
const folder = mkdtempSync(join(tmpdir(), 'cdp-fuzz-api-'));
try {
  process.exitCode = await fuzz();
} finally {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
}

async function fuzz() {
  const answer = await fetch(`${service.url}/sources`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Fuzz' }),
  });
  const { writeKey } = await answer.json();
  const document = await (await fetch(`${service.url}/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), document);
  writeFileSync(join(folder, 'schemathesis.toml'), settings(writeKey));
  const seed = values.seed === undefined ? [] : ['--seed', values.seed];
  const { status } = spawnSync(
    schemathesis,
    [
      ...['--config-file', 'schemathesis.toml', 'run', 'openapi.json', '--checks', CHECKS],
      ...['--max-time', values.seconds, '--suppress-health-check', 'all', ...seed],
    ],
    { cwd: folder, stdio: 'inherit' },
  );
  return status ?? 1;
}

/**
 * Both credentials: the Events API takes the write key, everything else the token. The live tail ends when the listener
 * does, or after the seconds that it asks for.
 */
function settings(writeKey) {
  const basic = Buffer.from(`${writeKey}:`).toString('base64');
  return `
base-url = "${service.url}"
headers = { Authorization = "Bearer ${service.token}" }
generation.max-examples = 100
[[operations]]
include-path = "/events/tail"
parameters = { "query.seconds" = 1 }
generation.max-examples = 5
request-timeout = 10.0
[[operations]]
include-path-regex = "^/v1/"
headers = { Authorization = "Basic ${basic}" }
`;
}
