/** Collects the parameters of a statement that is put together; never put a value into SQL text. */
export class SqlValues {
  constructor(readonly params: unknown[] = []) {}

  /** Adds a parameter and returns its place, e.g. `$3::numeric`. */
  add(value: unknown, type: string): string {
    this.params.push(value);
    return `$${this.params.length}::${type}`;
  }

  text(value: string): string {
    return this.add(value, 'text');
  }

  json(value: unknown): string {
    return this.add(JSON.stringify(value), 'jsonb');
  }
}
