/** One kind of lines of what is exported of a person, by the module that has the table. */
export interface ExportPart {
  readonly kind: string;
  /**
   * Rows in their order, with `data`, the text of a JSON object with at least one member, and `key`, their place in the
   * order. $1 the person's subjects; $2 and so on the key after which a page begins.
   */
  readonly sql: string;
  /** The key before all rows. */
  readonly first: readonly string[];
  /** Rows read at once, where they are large. */
  readonly pageRows?: number | undefined;
}

/** Below all ids. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
