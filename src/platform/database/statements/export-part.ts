/** Rows read at once: what is held about one person may be more than fits into memory. */
export const PAGE_ROWS = 500;

/** One kind of lines of what is exported of a person, by the module that has the table. */
export interface ExportPart {
  readonly kind: string;
  /**
   * The next page, empty behind the last one: rows of `data`, the text of a JSON object with at least one member, and
   * of `key`, their place in the order. $1 the person's subjects; $2 and so on the key after which the page begins.
   */
  readonly sql: string;
  /** The key before all rows. */
  readonly first: readonly string[];
}

/** Below all ids. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
