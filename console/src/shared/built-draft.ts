/** Something while it is edited: member by member, or as JSON. */
export type Draft<Built> = BuilderDraft<Built> | JsonDraft<Built>;

interface BuilderDraft<Built> {
  readonly view: 'builder';
  readonly built: Built;
}

interface JsonDraft<Built> {
  readonly view: 'json';
  readonly text: string;
  /** What the builder had when this text was made of it, which may be more: the text has only what is complete. */
  readonly before?: { readonly text: string; readonly built: Built };
}

/** How what is built becomes JSON, and the other way round. */
export interface Language<Built, Written> {
  /** Undefined while something is missing. */
  readonly write: (built: Built) => Written | undefined;
  readonly writeComplete: (built: Built) => Written;
  /** Undefined when the builder cannot show it. */
  readonly read: (written: Written) => Built | undefined;
  readonly textOf: (written: Written) => string;
  /** Undefined when it is no such JSON. */
  readonly readText: (text: string) => Written | undefined;
}

/** What is there to begin with; what the builder cannot show is JSON. */
export function draftFrom<Built, Written>(
  written: Written,
  { read, textOf }: Language<Built, Written>,
): Draft<Built> {
  const built = read(written);
  return built === undefined ? { view: 'json', text: textOf(written) } : { view: 'builder', built };
}

/** What a draft says; undefined while something is missing. */
export function writtenIn<Built, Written>(
  draft: Draft<Built>,
  { write, readText }: Language<Built, Written>,
): Written | undefined {
  return draft.view === 'builder' ? write(draft.built) : readText(draft.text);
}

/** The draft as JSON. */
export function asText<Built, Written>(
  draft: Draft<Built>,
  language: Language<Built, Written>,
): JsonDraft<Built> {
  if (draft.view === 'json') return draft;
  const { built } = draft;
  const text = language.textOf(language.write(built) ?? language.writeComplete(built));
  return { view: 'json', text, before: { text, built } };
}

/** Whether the JSON that was made of what the builder has leaves something out. */
export function isLessThanBuilt<Built, Written>(
  draft: Draft<Built>,
  { write }: Language<Built, Written>,
): boolean {
  if (draft.view === 'builder' || draft.before?.text !== draft.text) return false;
  return write(draft.before.built) === undefined;
}

/** The draft in the builder; undefined when it cannot show it. */
export function asBuilder<Built, Written>(
  draft: Draft<Built>,
  language: Language<Built, Written>,
): BuilderDraft<Built> | undefined {
  if (draft.view === 'builder') return draft;
  if (draft.before?.text === draft.text) return { view: 'builder', built: draft.before.built };
  const written = language.readText(draft.text);
  const built = written === undefined ? undefined : language.read(written);
  return built && { view: 'builder', built };
}
