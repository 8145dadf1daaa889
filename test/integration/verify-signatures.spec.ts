import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SIGNATURE_HEADER, signatureHeaders } from '../../src/connectors/webhook/signature-headers';

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
  readonly xServiceSignature: string;
  readonly webhookSignature: string;
}

const folder = join(__dirname, '../../docs/verify-signatures');
const vectors = JSON.parse(readFileSync(join(folder, 'vectors.json'), 'utf8')) as Vector[];

/** Tests with a runtime that is not installed are skipped, and say so. */
function withRuntime(command: string, versionArgument: string): jest.It {
  return spawnSync(command, [versionArgument]).status === 0 ? it : it.skip;
}

/** Skipped, too, where the library is not installed. */
function withPython(library: string): jest.It {
  return spawnSync('python3', ['-c', `import ${library}`]).status === 0 ? it : it.skip;
}

/** What the service would send in this moment. */
function signedNow(): { secret: string; body: string; headers: Record<string, string> } {
  const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;
  const body = '{"userId": "ada"}';
  const timestamp = Math.floor(Date.now() / 1000);
  const flat = signatureHeaders(
    { id: 'delivery-1', body: Buffer.from(body), timestamp },
    [secret],
    SIGNATURE_HEADER,
  );
  const headers = Object.fromEntries(
    flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]]] : [])),
  );
  return { secret, body, headers: headers as Record<string, string> };
}

const NODE = `
  import { readFileSync } from 'node:fs';
  const { isFromService, isStandardWebhook } = await import(process.argv[1] + '/verify.mjs');
  for (const v of JSON.parse(readFileSync(process.argv[1] + '/vectors.json', 'utf8'))) {
    const headers = { 'webhook-id': v.id, 'webhook-timestamp': v.timestamp, 'webhook-signature': 'v1,b2xk ' + v.webhookSignature };
    const now = Number(v.timestamp);
    console.log(isFromService(v.secret, Buffer.from(v.body), v.xServiceSignature), isStandardWebhook(v.secret, Buffer.from(v.body), headers, now),
      isFromService(v.secret, Buffer.from(v.body + ' '), v.xServiceSignature), isStandardWebhook(v.secret, Buffer.from(v.body + ' '), headers, now),
      isStandardWebhook(v.secret, Buffer.from(v.body), headers, now + 3600));
  }`;
const PYTHON = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from verify import is_from_service, is_standard_webhook
for v in json.load(open(sys.argv[1] + '/vectors.json', encoding='utf-8')):
    headers = {'webhook-id': v['id'], 'webhook-timestamp': v['timestamp'], 'webhook-signature': 'v1,b2xk ' + v['webhookSignature']}
    body, tampered, now = v['body'].encode(), (v['body'] + ' ').encode(), int(v['timestamp'])
    results = [is_from_service(v['secret'], body, v['xServiceSignature']), is_standard_webhook(v['secret'], body, headers, now),
        is_from_service(v['secret'], tampered, v['xServiceSignature']), is_standard_webhook(v['secret'], tampered, headers, now),
        is_standard_webhook(v['secret'], body, headers, now + 3600)]
    print(*(str(result).lower() for result in results))
`;
/** Compilers that run for the first time take their time. */
const COMPILER_TIMEOUT_MS = 120_000;
/** Of the languages that README shows. */
const FILE_OF_LANGUAGE = { js: 'verify.mjs', python: 'verify.py' };

/** README's blocks of code in that language. */
function shownInReadme(language: string): string[] {
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
  const section = readme.split('## Verify a webhook')[1] ?? '';
  return section
    .split(`\`\`\`${language}\n`)
    .slice(1)
    .map((rest) => rest.split('```')[0] ?? '');
}

function withoutIndentation(code: string): string {
  return code.trim().replaceAll(/^[ \t]+/gm, '');
}

const EXPECTED = vectors.map(() => 'true true false false false');

describe('the examples for receivers', () => {
  it.each(vectors)('agree with what the service sends: $name', (vector) => {
    const { id, secret, body, timestamp } = vector;
    const message = { id, body: Buffer.from(body), timestamp: Number(timestamp) };
    const headers = signatureHeaders(message, [secret], SIGNATURE_HEADER);
    expect(headers[headers.indexOf('X-Service-Signature') + 1]).toBe(vector.xServiceSignature);
    expect(headers[headers.indexOf('webhook-signature') + 1]).toBe(vector.webhookSignature);
  });

  it.each(Object.entries(FILE_OF_LANGUAGE))('are what README shows in %s', (language, file) => {
    const code = withoutIndentation(readFileSync(join(folder, file), 'utf8'));
    const block = shownInReadme(language).find((text) => text.includes('sha256='));
    const shown = withoutIndentation(block ?? '').split('\n\n');
    expect(shown.join('\n')).toContain('sha256=');
    expect(shown.filter((paragraph) => !code.includes(paragraph))).toEqual([]);
  });

  it('begin with Standard Webhooks in README, which works in Node with the library', async () => {
    const [block = ''] = shownInReadme('js');
    const signed = signedNow();
    const script = `${block}
      const { headers, body } = JSON.parse(process.env.SIGNED);
      console.log(verifyWebhook(Buffer.from(body), headers).userId);
      try { verifyWebhook(Buffer.from(body + ' '), headers) } catch (error) { console.log(error.message) }`;
    const output = execFileSync('node', ['--input-type=module', '-e', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, WEBHOOK_SECRET: signed.secret, SIGNED: JSON.stringify(signed) },
    });
    expect(output).toBe('ada\nNo matching signature found\n');
  });

  withPython('standardwebhooks')('work in Python with the library', () => {
    const [block = ''] = shownInReadme('python').filter((text) => text.includes('standardwebhooks'));
    const signed = signedNow();
    const script = `${block}
import json
signed = json.loads(os.environ["SIGNED"])
print(verify_webhook(signed["body"].encode(), signed["headers"])["userId"])
try:
    verify_webhook((signed["body"] + " ").encode(), signed["headers"])
except Exception as error:
    print(error)
`;
    const output = execFileSync('python3', ['-c', script], {
      encoding: 'utf8',
      env: { ...process.env, WEBHOOK_SECRET: signed.secret, SIGNED: JSON.stringify(signed) },
    });
    expect(output).toBe('ada\nNo matching signature found\n');
  });

  it('verify in Node', () => {
    const output = execFileSync('node', ['--input-type=module', '-e', NODE, folder], { encoding: 'utf8' });
    expect(output.trim().split('\n')).toEqual(EXPECTED);
  });

  withRuntime('python3', '--version')('verify in Python', () => {
    const output = execFileSync('python3', ['-c', PYTHON, folder], { encoding: 'utf8' });
    expect(output.trim().split('\n')).toEqual(EXPECTED);
  });

  withRuntime('go', 'version')(
    'verify in Go',
    () => {
      const output = execFileSync('go', ['test', './...'], { cwd: join(folder, 'go'), encoding: 'utf8' });
      expect(output).toMatch(/^ok/);
    },
    COMPILER_TIMEOUT_MS,
  );

  withRuntime('java', '-version')(
    'verify in Java',
    () => {
      const classes = mkdtempSync(join(tmpdir(), 'verify-signatures-'));
      execFileSync('javac', ['-d', classes, join(folder, 'VerifySignature.java')]);
      const run = (vector: Vector, body: string, now: number): string => {
        const { secret, id, timestamp, xServiceSignature, webhookSignature } = vector;
        const signatures = [xServiceSignature, `v1,b2xk ${webhookSignature}`];
        const encoded = Buffer.from(body).toString('base64');
        const args = [secret, id, timestamp, ...signatures, String(now), encoded];
        return execFileSync('java', ['-cp', classes, 'VerifySignature', ...args], {
          encoding: 'utf8',
        }).trim();
      };
      for (const vector of vectors) {
        const now = Number(vector.timestamp);
        expect(run(vector, vector.body, now)).toBe('true true');
        expect(run(vector, `${vector.body} `, now)).toBe('false false');
        expect(run(vector, vector.body, now + 3_600)).toBe('true false');
      }
    },
    COMPILER_TIMEOUT_MS,
  );
});
