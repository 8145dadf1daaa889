import { isJsonObject, type JsonObject, type JsonValue } from '../../events/customer-event';
import { FORMATS } from '../language/formats';
import { KEYWORDS, REFUSED_KEYWORDS } from '../language/keywords';
import { pointerBelow, pointerOf } from '../language/resolve-reference';

/** Something that could not be kept of what was imported. */
export interface ImportNote {
  /** Where it stands in the document. */
  readonly path: string;
  readonly message: string;
}

/** Where a schema stands. */
interface SchemaLocation {
  /** In the document that is imported, as `rules[3].jsonSchema`. */
  readonly path: string;
  /** In the schema that it becomes a part of, as a JSON Pointer. */
  readonly target: string;
}

/** Of tools and of older drafts; they say nothing about what is valid. */
const SILENTLY_LEFT_OUT: ReadonlySet<string> = new Set(['$schema', '$id', 'id', 'labels', 'eventMetadata']);

/**
 * Writes a schema of draft 4, 6 or 7 as one of 2020-12. What it means stays as it is: keywords that no draft knows and
 * formats that are not checked are left out with a note. What a plan cannot say is left for `parsePlan` to refuse.
 * The differences are those of https://json-schema.org/draft/2020-12/release-notes and
 * https://json-schema.org/draft/2019-09/release-notes.
 */
export function convertSchema(
  given: JsonObject,
  location: SchemaLocation,
  note: (note: ImportNote) => void,
): JsonObject {
  const conversion = new Conversion(note);
  const converted = conversion.convert(given, { ...location, pointer: '' });
  conversion.redirectReferences();
  return isJsonObject(converted) ? converted : {};
}

interface At extends SchemaLocation {
  /** In the schema that is given, as a JSON Pointer. */
  readonly pointer: string;
}

class Conversion {
  /** Pointers to schemas, and what they are called (`#money`), with the pointers at which they stand now. */
  private readonly moved = new Map<string, string>();
  private readonly references: { readonly holder: JsonObject; readonly reference: string }[] = [];

  constructor(private readonly note: (note: ImportNote) => void) {}

  convert(schema: JsonValue, at: At): JsonValue {
    this.moved.set(at.pointer, at.target);
    if (!isJsonObject(schema)) return schema;
    for (const name of [schema.$id, schema.id]) {
      if (typeof name === 'string' && name.startsWith('#')) this.moved.set(name, at.target);
    }
    const converted: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      // Up to draft 7 nothing holds beside a reference.
      if ('$ref' in schema && !MAY_STAND_BESIDE_A_REFERENCE.has(keyword)) continue;
      Object.assign(converted, this.convertKeyword(keyword, value, { schema, at }));
    }
    const { $ref: reference } = converted;
    if (typeof reference === 'string') this.references.push({ holder: converted, reference });
    return converted;
  }

  /** What refers to a schema that stands elsewhere now follows it. */
  redirectReferences(): void {
    for (const { holder, reference } of this.references) {
      const target = this.moved.get(pointerOf(reference) ?? reference);
      if (target !== undefined) holder.$ref = `#${encodeURI(target.toWellFormed())}`;
    }
  }

  private convertKeyword(keyword: string, value: JsonValue, { schema, at }: Held): JsonObject {
    switch (keyword) {
      case 'definitions':
        if ('$defs' in schema) break; // It has both, perhaps with the same names.
        return { $defs: this.convertMembers(value, at, [keyword, '$defs']) };
      case 'items':
        if (!Array.isArray(value)) break;
        return value.length === 0
          ? {}
          : { prefixItems: this.convertElements(value, at, [keyword, 'prefixItems']) };
      case 'additionalItems':
        return Array.isArray(schema.items)
          ? { items: this.convert(value, below(at, [keyword, 'items'])) }
          : {};
      case 'dependencies':
        if ('dependentRequired' in schema || 'dependentSchemas' in schema) break;
        return this.convertDependencies(value, at);
      case 'minimum':
      case 'maximum':
        return schema[EXCLUSIVE[keyword]] === true ? {} : { [keyword]: value };
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        if (typeof value !== 'boolean') break;
        return value ? exclusiveOf(keyword, schema) : {};
      case 'format':
        if (typeof value !== 'string' || Object.hasOwn(FORMATS, value)) break;
        this.note({
          path: `${at.path}.format`,
          message: `The format ${JSON.stringify(value)} is not checked.`,
        });
        return {};
    }
    return this.convertByKind(keyword, value, at);
  }

  private convertByKind(keyword: string, value: JsonValue, at: At): JsonObject {
    const names = [keyword, keyword] as const;
    switch (KEYWORDS.get(keyword)) {
      case 'schema':
      case 'schemaOfEach':
        return { [keyword]: this.convert(value, below(at, names)) };
      case 'schemas':
        return { [keyword]: this.convertElements(value, at, names) };
      case 'schemaMap':
      case 'patternMap':
      case 'definitions':
        return { [keyword]: this.convertMembers(value, at, names) };
      case 'reference':
      case 'value':
      case 'annotation':
        return { [keyword]: value };
      case undefined:
        if (REFUSED_KEYWORDS.has(keyword) && !SILENTLY_LEFT_OUT.has(keyword)) return { [keyword]: value };
        if (!SILENTLY_LEFT_OUT.has(keyword)) {
          this.note({
            path: `${at.path}.${keyword}`,
            message: 'Is no keyword of JSON Schema: it is left out.',
          });
        }
        return {};
    }
  }

  private convertDependencies(value: JsonValue, at: At): JsonObject {
    const required: JsonObject = {};
    const schemas: JsonObject = {};
    for (const [name, one] of Object.entries(isJsonObject(value) ? value : {})) {
      if (Array.isArray(one)) required[name] = one;
      else if (typeof one === 'string') required[name] = [one];
      else
        schemas[name] = this.convert(
          one,
          below(below(at, ['dependencies', 'dependentSchemas']), [name, name]),
        );
    }
    return {
      ...(Object.keys(required).length === 0 ? {} : { dependentRequired: required }),
      ...(Object.keys(schemas).length === 0 ? {} : { dependentSchemas: schemas }),
    };
  }

  private convertElements(value: JsonValue, at: At, names: Names): JsonValue {
    if (!Array.isArray(value)) return value;
    const list = below(at, names);
    return value.map((one, index) =>
      this.convert(one, { ...below(list, [String(index), String(index)]), path: `${list.path}[${index}]` }),
    );
  }

  private convertMembers(value: JsonValue, at: At, names: Names): JsonValue {
    if (!isJsonObject(value)) return value;
    const members = below(at, names);
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, this.convert(one, below(members, [name, name]))]),
    );
  }
}

interface Held {
  readonly schema: JsonObject;
  readonly at: At;
}

/** What a member is called, and what it is called now. */
type Names = readonly [string, string];

const EXCLUSIVE = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const;

/** In draft 4 it says of the other keyword what it means, and without that nothing. */
function exclusiveOf(keyword: 'exclusiveMinimum' | 'exclusiveMaximum', schema: JsonObject): JsonObject {
  const bound = schema[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'];
  return bound === undefined ? {} : { [keyword]: bound };
}

const MAY_STAND_BESIDE_A_REFERENCE: ReadonlySet<string> = new Set([
  '$ref',
  '$id',
  'id',
  'definitions',
  '$defs',
  'title',
  'description',
  '$comment',
]);

function below(at: At, [name, now]: Names): At {
  return {
    path: `${at.path}.${name}`,
    pointer: pointerBelow(at.pointer, name),
    target: pointerBelow(at.target, now),
  };
}
