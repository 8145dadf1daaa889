/**
 * The packages that write types, and the versions that are tested. They are optional peers: the service never needs
 * them, and they are 38 MB. This is what is used of them; their own types are not there without them.
 */
interface Generators {
  readonly 'json-schema-to-typescript': {
    compile(schema: object, name: string, options: object): Promise<string>;
  };
  readonly 'quicktype-core': {
    readonly JSONSchemaInput: new (store: undefined) => SchemaInput;
    readonly InputData: new () => { addInput(input: SchemaInput): void };
    quicktypeMultiFile(options: {
      inputData: object;
      lang: string;
    }): Promise<ReadonlyMap<string, { readonly lines: readonly string[] }>>;
  };
}

interface SchemaInput {
  addSource(source: { readonly name: string; readonly schema: string }): Promise<void>;
}

const VERSIONS: Readonly<Record<keyof Generators, string>> = {
  'json-schema-to-typescript': '16.0.0',
  'quicktype-core': '26.0.0',
};

/** A package that writes types is not installed. */
export class GeneratorMissingError extends Error {
  constructor(name: keyof Generators) {
    super(`This needs ${name}, which is not installed: npm install ${name}@${VERSIONS[name]}`);
  }
}

/** @throws GeneratorMissingError */
export async function loadGenerator<Name extends keyof Generators>(name: Name): Promise<Generators[Name]> {
  try {
    return (await import(name)) as Generators[Name];
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    throw isMissing ? new GeneratorMissingError(name) : error;
  }
}
