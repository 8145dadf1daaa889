import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { parseAllDocuments } from 'yaml';

const FOLDER = join(__dirname, '..', '..', 'deploy', 'kubernetes');
const FILE = join(__dirname, 'manifests-as-typescript.ts');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly template?: {
      readonly spec: { readonly containers: { readonly env?: { name: string; value: string }[] }[] };
    };
  };
}

function manifestsOf(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });
}

const manifests = readdirSync(FOLDER)
  .filter((file) => file !== 'kustomization.yaml')
  .flatMap(manifestsOf);

/** Has the compiler check manifests against the types of Kubernetes' own schema: wrong, missing and unknown members. */
function problemsOf(checked: readonly Manifest[]): string[] {
  const source = checked
    .map(
      ({ apiVersion, kind, ...rest }, index) =>
        `import type { I${kind} as Kind${index} } from 'kubernetes-models/${apiVersion}';\n` +
        `export const manifest${index}: Kind${index} = ${JSON.stringify({ apiVersion, kind, ...rest })};`,
    )
    .join('\n');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === FILE || fileExists(name);
  host.getSourceFile = (name, target) =>
    name === FILE ? ts.createSourceFile(name, source, target) : getSourceFile(name, target);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([FILE], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the Kubernetes manifests', () => {
  it('have the members of their schemas and no others', () => {
    expect(manifests.length).toBeGreaterThan(10);
    expect(problemsOf(manifests)).toEqual([]);
  });

  it('would be refused with a misspelt member or a wrong type', () => {
    const [worker] = manifestsOf('worker.yaml');
    const wrong = JSON.stringify(worker)
      .replace('"readinessProbe"', '"readinesProbe"')
      .replace('"replicas":2', '"replicas":"2"');
    expect(problemsOf([JSON.parse(wrong) as Manifest]).join('\n')).toMatch(/readinesProbe|replicas/);
  });

  it('run every role once', () => {
    const roles = manifests.flatMap(({ kind, spec }) =>
      kind === 'Deployment' ? (spec?.template?.spec.containers[0]?.env ?? []).map(({ value }) => value) : [],
    );
    expect(roles.sort()).toEqual(['events', 'management', 'worker']);
  });

  it('are all applied by the kustomization, but for the example of a secret', () => {
    const { resources } = parseAllDocuments(
      readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8'),
    )[0]!.toJS() as {
      resources: string[];
    };
    const files = readdirSync(FOLDER).filter(
      (file) => file !== 'kustomization.yaml' && file !== 'secret.example.yaml',
    );
    expect(resources.sort()).toEqual(files.sort());
  });
});
