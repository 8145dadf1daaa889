/** What a connector says of a member of its config: as much of JSON Schema as a form can use. */
export interface Member {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly additionalProperties?: unknown;
  readonly properties?: ConfigSchema['properties'];
  readonly required?: readonly string[];
  /** Of a text that has several lines. */
  readonly contentMediaType?: string;
  /** Objects of which each has another `type`. */
  readonly oneOf?: readonly ConfigSchema[];
}

export interface ConfigSchema {
  readonly properties?: Readonly<Record<string, Member>>;
  readonly required?: readonly string[];
}

/** Words that are written in capitals. */
const ABBREVIATIONS = /\b(?:ca|id|ip|json|tls|url)\b/g;

/** `forcePathStyle` as `Force path style`. */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Of the field that says which of several forms an object has. */
export function kindLabelOf(label: string): string {
  return `Kind of ${label.toLowerCase()}`;
}

/**
 * A place in a config, as the form calls its field: `batch.maxEvents` is `Batch, Max events`, `headers.X-Key` is `Headers,
 * X-Key`. Undefined where it has none.
 */
export function configPlaceWords(path: string, schema: ConfigSchema): string | undefined {
  const [, name = '', inner = ''] = /^(\w+)\.?(.*)$/.exec(path) ?? [];
  const member = schema.properties?.[name];
  if (member === undefined) return undefined;
  const label = labelOf(name);
  if (inner === '') return label;
  if (member.oneOf !== undefined && inner === 'type') return kindLabelOf(label);
  const words = [member, ...(member.oneOf ?? [])].map((form) => configPlaceWords(inner, form));
  return `${label}, ${words.find((one) => one !== undefined) ?? inner}`;
}
