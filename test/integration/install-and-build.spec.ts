import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { minVersion, satisfies, subset } from 'semver';

const ROOT = join(__dirname, '../..');

interface LockedPackage {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
}

describe('npm ci', () => {
  const { engines, allowScripts } = readJson('package.json') as {
    engines: { node: string };
    allowScripts: Record<string, boolean>;
  };
  const { packages } = readJson('package-lock.json') as { packages: Record<string, LockedPackage> };
  const dependencies = Object.entries(packages).filter(([path]) => path !== '');

  it('installs nothing that wants another Node.js than the service does', () => {
    expect(minVersion(engines.node)?.version).toBe('20.19.0');
    const unfit = dependencies.filter(
      ([, { engines: wanted }]) => wanted?.node !== undefined && !subset(engines.node, wanted.node),
    );
    expect(unfit.map(([path, { engines: wanted }]) => `${path}: ${wanted?.node}`)).toEqual([]);
    expect(satisfies(process.version, engines.node)).toBe(true);
  });

  it('asks about no install script: package.json says which may run', () => {
    const undecided = dependencies
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
      .filter((name) => allowScripts[name] === undefined);
    expect(undecided).toEqual([]);
  });

  it('downloads from the registry that npm is set to', () => {
    expect(dependencies.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

describe('npm run build', () => {
  let project: string;

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'cdp-test-build-'));
    for (const file of [
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'scripts/build-if-needed.mjs',
      'scripts/compile.mjs',
    ]) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      copyFileSync(join(ROOT, file), join(project, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    mkdirSync(join(project, 'src'));
  });
  afterAll(() => rmSync(project, { recursive: true }));

  it('puts a whole new dist/ into place, which the next start finds up to date', () => {
    build('export const answer: number = 1;');
    writeFileSync(join(project, 'dist', 'left-over.js'), '');
    const { status } = build('export const answer: number = 2;');
    expect(status).toBe(0);
    expect(builtText()).toContain('answer = 2');
    expect(existsSync(join(project, 'dist', 'left-over.js'))).toBe(false);
    expect(run().stderr).toBe('');
  });

  it('makes commands that can be run in a clone', () => {
    mkdirSync(join(project, 'src', 'cli'));
    writeFileSync(join(project, 'src', 'cli', 'cdp.ts'), `#!/usr/bin/env node\nconsole.log('it runs');`);
    build('export const answer: number = 2;');
    expect(execFileSync(join(project, 'dist', 'cli', 'cdp.js'), { encoding: 'utf8' })).toBe('it runs\n');
    rmSync(join(project, 'src', 'cli'), { recursive: true });
  });

  it('leaves dist/ as it was when it fails, and says why', () => {
    build('export const answer = 3;');
    const { status, stderr } = build('export const answer = ;');
    expect(status).toBe(1);
    expect(stderr).toContain('src/main.ts(1,23): error TS1109: Expression expected.');
    expect(builtText()).toContain('answer = 3');
  });

  function build(source: string): { status: number | null; stderr: string } {
    writeFileSync(join(project, 'src', 'main.ts'), source);
    return run('--always');
  }

  function run(...args: string[]): { status: number | null; stderr: string } {
    const script = join(project, 'scripts', 'build-if-needed.mjs');
    return spawnSync(process.execPath, [script, ...args], { cwd: project, encoding: 'utf8' });
  }

  function builtText(): string {
    return readFileSync(join(project, 'dist', 'main.js'), 'utf8');
  }
});

describe('npm run types', () => {
  it('checks the tests of faults, and every file of the benchmarks that uses parts of the service', () => {
    const scripts = ['bench', 'test/faults'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.mjs'))
        .map((file) => `${folder}/${file}`),
    );
    const unchecked = scripts.filter((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      const isToBeChecked = file.startsWith('test/faults/') || text.includes("'#dist/");
      const hidesTypes = /\brequire\(|from '[./]*dist\//.test(text);
      return hidesTypes || (isToBeChecked && !text.startsWith('// @ts-check\n'));
    });
    expect(unchecked).toEqual([]);
  });
});

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}
