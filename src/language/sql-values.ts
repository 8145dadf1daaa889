/** Collects the parameters of a statement that is put together; never put a value into SQL text. */
export class SqlValues {
  /** The places of texts, numbers and booleans by type and value: one that is there twice is sent once. */
  private readonly places = new Map<string, Map<unknown, string>>();

  /** @param params those whose places the text says itself */
  constructor(readonly params: unknown[] = []) {}

  /** Adds a parameter and returns its place, e.g. `$3::numeric`. */
  add(value: unknown, type: string): string {
    const ofType = this.places.get(type) ?? new Map<unknown, string>();
    this.places.set(type, ofType);
    const known = ofType.get(value);
    if (known !== undefined) return known;
    this.params.push(value);
    const place = `$${this.params.length}::${type}`;
    ofType.set(value, place);
    return place;
  }

  text(value: string): string {
    return this.add(value, 'text');
  }

  json(value: unknown): string {
    return this.add(JSON.stringify(value), 'jsonb');
  }
}
