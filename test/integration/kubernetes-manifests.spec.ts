import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';
import { Config } from '../../src/platform/config/config';

const FOLDER = join(__dirname, '..', '..', 'deploy', 'kubernetes');
const FILE = join(__dirname, 'manifests-as-typescript.ts');

interface NetworkRule {
  readonly from?: readonly {
    readonly namespaceSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  }[];
  readonly ports?: readonly { readonly port: number }[];
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly replicas?: number;
    readonly scaleTargetRef?: { readonly name: string };
    readonly podSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly ingress?: readonly NetworkRule[];
    readonly egress?: readonly object[];
    readonly template?: {
      readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: {
          readonly env?: { name: string; value: string }[];
          readonly envFrom?: { secretRef?: { name: string } }[];
        }[];
      };
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
    const problemsWith = (right: string, wrong: string): string =>
      problemsOf([JSON.parse(JSON.stringify(worker).replace(right, wrong)) as Manifest]).join('\n');
    expect(problemsWith('"readinessProbe"', '"readinesProbe"')).toContain('readinesProbe');
    expect(problemsWith('"periodSeconds":10', '"periodSeconds":"10"')).toContain("'string'");
  });

  it('run every role once', () => {
    const roles = manifests.flatMap(({ kind, spec }) =>
      kind === 'Deployment' ? (spec?.template?.spec.containers[0]?.env ?? []).map(({ value }) => value) : [],
    );
    expect(roles.sort()).toEqual(['events', 'management', 'worker']);
  });

  it('leave the number of pods to who scales them: an apply would take away what was added', () => {
    const scaled = manifests.flatMap(({ spec }) => spec?.scaleTargetRef?.name ?? []);
    const counted = manifests.flatMap(({ metadata, spec }) =>
      spec?.replicas === undefined ? [] : [metadata.name],
    );
    expect({ scaled, counted }).toEqual({
      scaled: ['cdp-events', 'cdp-worker'],
      counted: ['cdp-management'],
    });
  });

  it('give the key of the secrets to those who open them, and not to the Events API', () => {
    const opening = manifests.flatMap(({ kind, metadata, spec }) =>
      (spec?.template?.spec.containers ?? []).flatMap(({ envFrom = [] }) =>
        envFrom.some(({ secretRef }) => secretRef?.name === 'cdp-service-encryption')
          ? [`${kind} ${metadata.name}`]
          : [],
      ),
    );
    expect(opening.sort()).toEqual(['Deployment cdp-management', 'Deployment cdp-worker']);
    const [encryption, stores] = manifestsOf('secret.example.yaml') as unknown as {
      metadata: { name: string };
      stringData: Record<string, string>;
    }[];
    expect(encryption?.metadata.name).toBe('cdp-service-encryption');
    expect(Object.keys(encryption?.stringData ?? {})).toEqual(['CDP_ENCRYPTION_KEY']);
    expect(Object.keys(stores?.stringData ?? {})).toEqual(['CDP_DATABASE_URL', 'CDP_REDIS_URL']);
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

  const networkPolicies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');

  it('let nobody in who is not named, and to the metrics the monitoring only', () => {
    const all = networkPolicies.find(({ metadata }) => metadata.name === 'cdp-default');
    // Of the pods of the service and no others: those of the stores have their own.
    const service = { 'app.kubernetes.io/name': 'cdp-service' };
    expect(all?.spec).toEqual({ podSelector: { matchLabels: service }, policyTypes: ['Ingress', 'Egress'] });
    for (const { spec } of networkPolicies) expect(spec?.podSelector?.matchLabels).toMatchObject(service);
    const pods = manifests.flatMap(({ spec }) => spec?.template ?? []);
    expect(pods).toHaveLength(4);
    for (const { metadata } of pods) expect(metadata?.labels).toMatchObject(service);
    const ways = networkPolicies.flatMap(({ metadata, spec }) =>
      (spec?.ingress ?? []).map(({ from, ports }) => ({
        policy: metadata.name,
        from: from?.map(({ namespaceSelector }) => namespaceSelector?.matchLabels),
        ports: ports?.map(({ port }) => port),
      })),
    );
    const monitoring = [{ 'kubernetes.io/metadata.name': 'monitoring' }];
    expect(ways).toEqual([
      {
        policy: 'cdp-events-ingress',
        from: [{ 'kubernetes.io/metadata.name': 'ingress-nginx' }],
        ports: [3000],
      },
      { policy: 'cdp-management-ingress', from: [{ 'cdp-service/management': 'allowed' }], ports: [3000] },
      { policy: 'cdp-metrics-ingress', from: monitoring, ports: [9464] },
    ]);
    const [config] = manifestsOf('config.yaml') as unknown as { data: Record<string, string> }[];
    expect(config?.data).toMatchObject({ PORT: '3000', CDP_METRICS_PORT: '9464' });
  });

  it('let tests of destinations reach what deliveries reach', () => {
    const egressOf = (name: string): readonly object[] =>
      networkPolicies.find(({ metadata }) => metadata.name === name)?.spec?.egress ?? [];
    const [deliveries] = egressOf('cdp-worker-egress');
    expect(deliveries).toBeDefined();
    expect(egressOf('cdp-management-egress')).toContainEqual(deliveries);
  });

  it('hold no example of a secret that the service would take', () => {
    const [example] = manifestsOf('secret.example.yaml') as unknown as {
      stringData: Record<string, string>;
    }[];
    expect(() => Config.from(example?.stringData ?? {})).toThrow('CDP_ENCRYPTION_KEY');
  });
});

const WORKSPACES = join(FOLDER, '..', 'workspaces');
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

(hasKubectl ? describe : describe.skip)(
  'the overlays of workspaces (skipped when there is no kubectl on the PATH)',
  () => {
    const workspaces = readdirSync(WORKSPACES).filter((name) => name !== 'shared-stores');
    const built = new Map(workspaces.map((name) => [name, build(join(WORKSPACES, name))]));

    it('are manifests that Kubernetes takes', () => {
      expect(workspaces.length).toBeGreaterThan(1);
      for (const one of built.values()) expect(problemsOf(one)).toEqual([]);
    });

    it('each have a namespace and a schema of their own that the service takes', () => {
      const schemas = [...built.values()].map((one) => configOf(one).CDP_DATABASE_SCHEMA);
      expect(new Set(schemas).size).toBe(workspaces.length);
      for (const schema of schemas) {
        expect(schema).not.toBe('public');
        expect(Config.from({ CDP_DATABASE_SCHEMA: schema }).database.schema).toBe(schema);
      }
      for (const [name, one] of built) {
        const namespaces = one.map(({ kind, metadata }) =>
          kind === 'Namespace' ? metadata.name : (metadata as { namespace?: string }).namespace,
        );
        expect(new Set(namespaces)).toEqual(new Set([`cdp-${name}`]));
      }
    });

    it('share the stores, and are reached through the one proxy', () => {
      for (const one of built.values()) {
        const policies = JSON.stringify(one.filter(({ kind }) => kind === 'NetworkPolicy'));
        expect(policies.match(/"kubernetes.io\/metadata.name":"stores"/g)).toHaveLength(2);
        expect(policies.match(/"kubernetes.io\/metadata.name":"haproxy"/g)).toHaveLength(2);
        expect(configOf(one).CDP_TRUST_PROXY).toBe('1');
      }
    });
  },
);

function build(folder: string): Manifest[] {
  const { stdout, status } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  expect(status).toBe(0);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}

function configOf(built: readonly Manifest[]): Record<string, string> {
  const config = built.find(({ kind }) => kind === 'ConfigMap') as unknown as {
    data: Record<string, string>;
  };
  return config.data;
}

interface ComposeService {
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly mem_limit?: string;
  readonly environment?: Readonly<Record<string, unknown>>;
}

describe('docker-compose.yml', () => {
  const text = readFileSync(join(__dirname, '..', '..', 'docker-compose.yml'), 'utf8');
  const compose = parse(text) as {
    services: Record<string, ComposeService>;
    networks: Record<string, { internal?: boolean } | null>;
  };

  it('publishes the service alone, and bounds the memory of each', () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(['service']);
    expect(compose.services.postgres?.networks).toEqual(['stores']);
    expect(compose.services.redis?.networks).toEqual(['stores']);
    expect(compose.networks.stores).toEqual({ internal: true });
    for (const { mem_limit: limit } of Object.values(compose.services)) expect(limit).toMatch(/^\d+g$/);
  });

  it('has no password of its own, and the start of README.md sets the one it asks for', () => {
    expect(text).not.toMatch(/PASSWORD:?-/);
    const asked = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    expect([...asked]).toEqual(['POSTGRES_PASSWORD']);
    const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
    expect(readme).toMatch(/^POSTGRES_PASSWORD=\$\(openssl rand -hex \d+\)$/m);
  });
});
