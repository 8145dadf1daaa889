/** Collects the parameters of a statement that is put together; never put a value into SQL text. */
export class SqlValues {
  /** Of texts, numbers and booleans, by type and value: one that is there twice is sent once. */
  private readonly placeholders = new Map<string, Map<unknown, string>>();

  /** @param params those whose placeholders the text has itself */
  constructor(readonly params: unknown[] = []) {}

  /** Adds a parameter and returns its placeholder, e.g. `$3::numeric`. */
  add(value: unknown, type: string): string {
    const ofType = this.placeholders.get(type) ?? new Map<unknown, string>();
    this.placeholders.set(type, ofType);
    const known = ofType.get(value);
    if (known !== undefined) return known;
    this.params.push(value);
    const placeholder = `$${this.params.length}::${type}`;
    ofType.set(value, placeholder);
    return placeholder;
  }

  text(value: string): string {
    return this.add(value, 'text');
  }

  json(value: unknown): string {
    return this.add(JSON.stringify(value), 'jsonb');
  }
}
