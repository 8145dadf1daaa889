import {
  type Alias,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { InvalidRequestError } from '../problems/problem';

/** Each alias is looked up among all anchors before it. */
const MAX_ALIASES = 100;

/** What all aliases together may stand for: who reads the data meets it in each place, though it is there once. */
const MAX_ALIASED_VALUES = 100_000;

/**
 * The data of a YAML document, at a cost that grows with its length.
 * @param maxAliases those in what an alias stands for count once more
 * @throws InvalidRequestError
 */
export function parseYaml(text: string, maxAliases = MAX_ALIASES): unknown {
  try {
    const lines = new LineCounter();
    // The core schema makes plain data only. The library compares each key with each other: done below instead.
    const document = parseDocument(text, {
      schema: 'core',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
      lineCounter: lines,
    });
    const problem: YamlProblem | undefined =
      document.errors[0] ?? new Expansion(maxAliases).findExcess(document.contents);
    if (problem !== undefined)
      throw invalidYaml(`${wordsOf(problem)}${lineAndColumn(problem.pos[0], lines)}`);
    // The library's own guard finds no aliases of what is empty, and reads the document anew for each.
    return document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    if (error instanceof InvalidRequestError) throw error;
    // Aliases that are not resolved are ReferenceErrors, and YAML that is nested too deep is a RangeError.
    throw invalidYaml(error instanceof ReferenceError ? error.message : 'It is nested too deep.');
  }
}

interface YamlProblem {
  readonly message: string;
  readonly code?: string;
  /** Where it begins and ends. */
  readonly pos: readonly number[];
}

/** What an anchor stands for, the anchors within included. */
interface Extent {
  readonly aliases: number;
  readonly values: number;
}

/** Of an anchor that has not ended: what stands within itself has no end. */
const ENDLESS: Extent = { aliases: Infinity, values: Infinity };

/** Counts, in one pass over a document, what it is once its aliases are resolved. */
class Expansion {
  private readonly anchors = new Map<string, Extent>();
  private aliases = 0;
  private written = 0;
  private aliased = 0;

  constructor(private readonly maxAliases: number) {}

  /** The second of two equal keys, or the first alias too many. */
  findExcess(node: unknown): YamlProblem | undefined {
    if (isAlias(node)) return this.addAlias(node);
    if (isPair(node)) return this.findExcess(node.key) ?? this.findExcess(node.value);
    if (!isNode(node)) return undefined;
    const { aliases, values } = this.extent();
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.anchors.set(anchor, ENDLESS);
    this.written += 1;
    const problem = this.findWithin(node);
    const after = this.extent();
    const within = { aliases: after.aliases - aliases, values: after.values - values };
    if (anchor !== undefined) this.anchors.set(anchor, within);
    return problem;
  }

  private extent(): Extent {
    return { aliases: this.aliases, values: this.written + this.aliased };
  }

  private findWithin(node: Node): YamlProblem | undefined {
    if (!isCollection(node)) return undefined;
    const repeated = isMap(node) ? findRepeatedKey(node) : undefined;
    if (repeated !== undefined) return repeated;
    for (const item of node.items) {
      const problem = this.findExcess(item);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** The library finds one without an anchor. */
  private addAlias({ source, range }: Alias): YamlProblem | undefined {
    const { aliases, values } = this.anchors.get(source) ?? { aliases: 0, values: 0 };
    this.aliases += 1 + aliases;
    this.aliased += values;
    const pos = range ?? [0];
    if (this.aliases > this.maxAliases) {
      return { message: `It has more than ${this.maxAliases} aliases`, pos };
    }
    if (this.aliased <= MAX_ALIASED_VALUES) return undefined;
    return { message: `Its aliases stand for more than ${MAX_ALIASED_VALUES} values`, pos };
  }
}

function findRepeatedKey({ items }: YAMLMap): YamlProblem | undefined {
  const keys = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (keys.has(key.value)) return { message: 'Map keys must be unique', pos: key.range ?? [0] };
    keys.add(key.value);
  }
  return undefined;
}

/** The library calls its own overflowing stack by name. */
function wordsOf({ code, message }: YamlProblem): string {
  return code === 'RESOURCE_EXHAUSTION' ? 'It is nested too deep' : message;
}

function lineAndColumn(position: number | undefined, lines: LineCounter): string {
  const { line, col } = lines.linePos(position ?? 0);
  return ` at line ${line}, column ${col}`;
}

function invalidYaml(message: string): InvalidRequestError {
  return new InvalidRequestError([
    { path: '', code: 'invalid_yaml', message: `This is not valid YAML. ${message}` },
  ]);
}
