import { type Document, isScalar, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml';
import { InvalidRequestError } from '../platform/http/problems/problem';

/** Each alias is looked up among all anchors before it, and may stand for a whole subtree. */
const MAX_ALIASES = 100;

/**
 * The data of a YAML document, at a cost that grows with its length.
 * @throws InvalidRequestError
 */
export function parseYaml(text: string): unknown {
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
    const problem: YamlProblem | undefined = document.errors[0] ?? findExcess(document);
    if (problem !== undefined) throw invalidYaml(`${wordsOf(problem)}${placeOf(problem.pos[0], lines)}`);
    return document.toJS({ maxAliasCount: MAX_ALIASES });
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

/** The second of two equal keys, or the first alias too many. */
function findExcess(document: Document): YamlProblem | undefined {
  let aliases = 0;
  let problem: YamlProblem | undefined;
  visit(document, {
    Alias: (_key, { range }) => {
      aliases += 1;
      if (aliases <= MAX_ALIASES) return undefined;
      problem = { message: `It has more than ${MAX_ALIASES} aliases`, pos: range ?? [0] };
      return visit.BREAK;
    },
    Map: (_key, map) => {
      problem = findRepeatedKey(map);
      return problem === undefined ? undefined : visit.BREAK;
    },
  });
  return problem;
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

function placeOf(position: number | undefined, lines: LineCounter): string {
  const { line, col } = lines.linePos(position ?? 0);
  return ` at line ${line}, column ${col}`;
}

function invalidYaml(message: string): InvalidRequestError {
  return new InvalidRequestError([
    { path: '', code: 'invalid_yaml', message: `This is not valid YAML. ${message}` },
  ]);
}
