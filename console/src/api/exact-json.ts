interface SourceText {
  /** The number as it stands in the text. */
  readonly source?: string;
}

type ExactJson = typeof JSON & { readonly rawJSON?: (text: string) => unknown };

const { rawJSON } = JSON as ExactJson;

/**
 * Like `JSON.parse`, but a number that a double does not keep (`9007199254740993`, `1.0`) is something that
 * `JSON.stringify` writes as it came. It is no number to calculate with, and a copy of it is not the same. Browsers
 * that are older than that make a double of it.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_name: string, value: unknown, { source }: SourceText = {}) =>
    typeof value === 'number' && source !== undefined && String(value) !== source && rawJSON !== undefined
      ? rawJSON(source)
      : value,
  );
}
