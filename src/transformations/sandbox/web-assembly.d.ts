/** What this folder uses of it: of the libraries of TypeScript only that of browsers has it. */
declare namespace WebAssembly {
  type Imports = Record<string, unknown>;

  class Memory {
    /** In pages of 64 KB. */
    constructor(size: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
  }

  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    constructor(module: Module, imports: Imports);
  }
}
