import { isJsonObject, type JsonObject, type JsonValue } from '../../events/customer-event';
import { findUnstorable } from '../../platform/http/input/find-unstorable';
import { InputProblems } from '../../platform/http/input/input-problems';
import { isDeeperThan } from '../../platform/http/input/is-deeper-than';
import { FORMATS } from './formats';
import { DIALECT, KEYWORDS, REFUSED_KEYWORDS } from './keywords';
import { MAX_COST, MAX_COST_OF_EACH, MAX_PATTERN_CHARACTERS, MAX_SCHEMA_DEPTH } from './limits';
import { checkByMetaSchema } from './meta-schema';
import { faultOfPattern } from './pattern';
import { pointerBelow, pointerOf, pointerSegments } from './resolve-reference';
import { costOf, RecursiveReferenceError, type SchemaCost } from './schema-cost';

const INVALID = 'invalid_schema';
/** Keywords that say which members must be there. */
const NAMING: ReadonlySet<string> = new Set(['required', 'dependentRequired']);

/**
 * Checks a schema that a plan may use: JSON Schema 2020-12 without what reaches out of it (`$id`, remote references),
 * without circles, and small enough that no event takes long. Says all that is wrong, each with its path.
 * @returns what it costs, when it is right
 */
export function inspectSchema(
  schema: JsonValue,
  path: string,
  problems: InputProblems,
): SchemaCost | undefined {
  if (!isJsonObject(schema)) return problems.fail(path, INVALID, 'Must be a JSON Schema: an object.');
  if (isDeeperThan(MAX_SCHEMA_DEPTH, schema)) {
    return problems.fail(path, 'schema_too_deep', `Nest a schema at most ${MAX_SCHEMA_DEPTH} levels deep.`);
  }
  const unstorable = findUnstorable(schema, path);
  if (unstorable !== undefined) return problems.fail(unstorable.path, INVALID, `It ${unstorable.problem}.`);
  const before = problems.errors.length;
  checkByMetaSchema(schema, path, problems);
  if (problems.errors.length > before) return undefined;
  new Inspection(schema, path, problems).run();
  return problems.errors.length > before ? undefined : demandCheap(schema, path, problems);
}

function demandCheap(schema: JsonObject, path: string, problems: InputProblems): SchemaCost | undefined {
  try {
    const cost = costOf(schema);
    if (cost.total <= MAX_COST && cost.ofEach <= MAX_COST_OF_EACH) return cost;
    const message =
      cost.ofEach > MAX_COST_OF_EACH
        ? `What is checked of each element or member has more than ${MAX_COST_OF_EACH} parts.`
        : `With its references it has more than ${MAX_COST} parts.`;
    return problems.fail(path, 'schema_too_large', `The schema takes too long to check. ${message}`);
  } catch (error) {
    if (!(error instanceof RecursiveReferenceError)) throw error;
    const message = `The reference ${error.message} leads back to itself. Spell out as many levels as there may be.`;
    return problems.fail(path, 'recursive_reference', message);
  }
}

/** Goes through a schema once. Its keywords have values of the right form. */
class Inspection {
  /** Pointers of all that is a schema. */
  private readonly schemas = new Set<string>();
  private readonly references: { readonly reference: string; readonly path: string }[] = [];
  private patternCharacters = 0;

  constructor(
    private readonly root: JsonObject,
    private readonly rootPath: string,
    private readonly problems: InputProblems,
  ) {}

  run(): void {
    this.visit(this.root, '');
    for (const { reference, path } of this.references) this.checkReference(reference, path);
  }

  private visit(schema: JsonValue | undefined, pointer: string): void {
    this.schemas.add(pointer);
    if (!isJsonObject(schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      this.visitKeyword(keyword, value, pointerBelow(pointer, keyword));
    }
  }

  private visitKeyword(keyword: string, value: JsonValue, pointer: string): void {
    switch (KEYWORDS.get(keyword)) {
      case 'schema':
      case 'schemaOfEach':
        return this.visit(value, pointer);
      case 'patternMap':
        for (const expression of Object.keys(value ?? {})) this.checkPattern(expression, pointer);
        return this.visitAll(value, pointer);
      case 'schemas':
      case 'schemaMap':
      case 'definitions':
        return this.visitAll(value, pointer);
      case 'reference':
        this.references.push({ reference: value as string, path: this.pathOf(pointer) });
        return;
      case 'value':
        return this.checkValue(keyword, value, pointer);
      case 'annotation':
        return;
      case undefined:
        this.refuseKeyword(keyword, value, pointer);
    }
  }

  private visitAll(value: JsonValue, pointer: string): void {
    for (const [name, schema] of Object.entries(value ?? {}))
      this.visit(schema as JsonValue, pointerBelow(pointer, name));
  }

  private checkValue(keyword: string, value: JsonValue, pointer: string): void {
    if (keyword === 'pattern') this.checkPattern(value as string, pointer);
    // ajv takes a member without a name for one that is there.
    if (
      NAMING.has(keyword) &&
      Object.values(value ?? {})
        .flat()
        .includes('')
    ) {
      this.problems.fail(this.pathOf(pointer), INVALID, 'A member that must be there needs a name.');
    }
    if (keyword === 'format' && !Object.hasOwn(FORMATS, value as string)) {
      const message = `Must be one of ${Object.keys(FORMATS).join(', ')}.`;
      this.problems.fail(this.pathOf(pointer), 'unknown_format', message);
    }
  }

  private checkPattern(expression: string, pointer: string): void {
    const before = this.patternCharacters;
    this.patternCharacters += expression.length;
    // Compiling them takes time as well.
    if (this.patternCharacters > MAX_PATTERN_CHARACTERS) {
      if (before > MAX_PATTERN_CHARACTERS) return;
      const tooLong = `The patterns of a schema have at most ${MAX_PATTERN_CHARACTERS} characters together.`;
      return this.problems.fail(this.pathOf(pointer), 'schema_too_large', tooLong);
    }
    const fault = faultOfPattern(expression);
    if (fault === undefined) return;
    const message = `${JSON.stringify(expression)} is no pattern of RE2, which matches in linear time: ${fault}.`;
    this.problems.fail(this.pathOf(pointer), 'invalid_pattern', message);
  }

  private refuseKeyword(keyword: string, value: JsonValue, pointer: string): void {
    const path = this.pathOf(pointer);
    if (keyword === '$schema') {
      const isRoot = pointer === '/$schema';
      if (!isRoot || value !== DIALECT) this.problems.fail(path, INVALID, `Must be ${DIALECT}, at the top.`);
      return;
    }
    const instead = REFUSED_KEYWORDS.get(keyword);
    const message = instead ?? 'Is no keyword of JSON Schema 2020-12: it would be ignored.';
    this.problems.fail(path, instead === undefined ? 'unknown_keyword' : 'unsupported_keyword', message);
  }

  private checkReference(reference: string, path: string): void {
    const pointer = pointerOf(reference);
    if (pointer !== undefined && this.schemas.has(pointer)) return;
    const message = 'Must name a schema within the same schema, as #/$defs/money.';
    this.problems.fail(path, 'unknown_reference', message);
  }

  private pathOf(pointer: string): string {
    return pointerSegments(pointer).reduce(
      (path, name) => (/^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`),
      this.rootPath,
    );
  }
}
