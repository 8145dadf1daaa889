import { isJsonObject, type JsonObject, type JsonValue } from '../../events/customer-event';
import { isStorable } from '../../platform/http/input/find-unstorable';

/** An object with more members than this is a map whose keys are data. */
const MAX_MEMBERS = 200;
const MAX_NAME_CHARACTERS = 256;
/** A text is one of few values when so few were seen so often. */
const MAX_CHOICES = 10;
const MAX_CHOICE_CHARACTERS = 64;
const SEEN_FOR_EACH_CHOICE = 5;
const SEEN_FOR_CHOICES = 20;

type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** How much of what was seen a schema says. */
export interface Detail {
  /** Levels of objects and arrays. */
  readonly levels: number;
  /** Whether elements of arrays are described. */
  readonly elements: boolean;
  /** Whether texts of few values are enumerated. */
  readonly choices: boolean;
}

/** Values that may still be told apart, over all that is inferred: what bounds its memory. */
export interface InferenceBudget {
  left: number;
}

/** What was seen at one place of events. It is as large as what a schema can say, however many values there are. */
export class ObservedValue {
  private readonly types = new Set<TypeName>();
  private count = 0;
  private objects = 0;
  private texts = 0;
  /** Undefined when there are too many, or too long ones. */
  private choices: Set<string> | undefined = new Set();
  /** Undefined when they are data and no names. */
  private members: Map<string, ObservedValue> | undefined = new Map();
  private elements: ObservedValue | undefined;
  /** Values that no schema takes for what they are. */
  private hasOthers = false;

  constructor(private readonly budget: InferenceBudget) {
    budget.left -= 1;
  }

  observe(value: JsonValue): void {
    this.count += 1;
    if (Array.isArray(value)) return this.observeArray(value);
    if (isJsonObject(value)) return this.observeObject(value);
    if (value === null) this.types.add('null');
    else if (typeof value === 'string') this.observeText(value);
    else if (typeof value === 'number') this.observeNumber(value);
    else this.types.add('boolean');
  }

  /** A schema that all values pass which were seen, and that names every member of an object or none. */
  toSchema(detail: Detail): JsonObject {
    if (this.hasOthers) return {};
    const types = [...this.types].filter((type) => type !== 'integer' || !this.types.has('number'));
    const below = { ...detail, levels: detail.levels - 1 };
    return {
      type: types.length === 1 ? String(types[0]) : types.toSorted(),
      ...(detail.choices ? this.choicesSchema() : {}),
      ...(detail.levels > 0 ? this.membersSchema(below) : {}),
      ...(detail.levels > 0 && detail.elements ? this.elementsSchema(below) : {}),
    };
  }

  /** How many values were seen. */
  get seen(): number {
    return this.count;
  }

  private observeArray(values: readonly JsonValue[]): void {
    this.types.add('array');
    if (values.length === 0) return;
    this.elements ??= new ObservedValue(this.budget);
    for (const value of values) this.elements.observe(value);
  }

  private observeObject(value: JsonObject): void {
    this.types.add('object');
    this.objects += 1;
    for (const [name, member] of Object.entries(value)) {
      const observed = this.memberOf(name);
      if (observed === undefined) return;
      observed.observe(member);
    }
  }

  /** Undefined once the members are not told apart any more. */
  private memberOf(name: string): ObservedValue | undefined {
    const known = this.members?.get(name);
    if (known !== undefined || this.members === undefined) return known;
    if (this.members.size === MAX_MEMBERS || this.budget.left <= 0 || !isNameable(name)) {
      this.members = undefined;
      return undefined;
    }
    const added = new ObservedValue(this.budget);
    this.members.set(name, added);
    return added;
  }

  private observeText(text: string): void {
    this.types.add('string');
    this.texts += 1;
    if (this.choices === undefined || this.choices.has(text)) return;
    const fits = text.length <= MAX_CHOICE_CHARACTERS && isStorable(text) && this.choices.size < MAX_CHOICES;
    this.choices = fits ? this.choices.add(text) : undefined;
  }

  private observeNumber(value: number): void {
    // 1e400 is a number in JSON, and none of JavaScript.
    if (!Number.isFinite(value)) this.hasOthers = true;
    this.types.add(Number.isInteger(value) ? 'integer' : 'number');
  }

  private choicesSchema(): JsonObject {
    const others = [...this.types].filter((type) => type !== 'string' && type !== 'null');
    if (others.length > 0 || this.choices === undefined) return {};
    const isOften = this.texts >= Math.max(SEEN_FOR_CHOICES, this.choices.size * SEEN_FOR_EACH_CHOICE);
    if (!isOften) return {};
    return { enum: [...[...this.choices].toSorted(), ...(this.types.has('null') ? [null] : [])] };
  }

  private membersSchema(detail: Detail): JsonObject {
    if (this.members === undefined || this.members.size === 0) return {};
    const members = [...this.members];
    const required = members.filter(([, { seen }]) => seen === this.objects).map(([name]) => name);
    return {
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(members.map(([name, member]) => [name, member.toSchema(detail)])),
    };
  }

  private elementsSchema(detail: Detail): JsonObject {
    return this.elements === undefined ? {} : { items: this.elements.toSchema(detail) };
  }
}

/** `__proto__` is no member to ajv, and what has no name cannot be asked for. */
function isNameable(name: string): boolean {
  return name !== '' && name !== '__proto__' && name.length <= MAX_NAME_CHARACTERS && isStorable(name);
}
