import { compileNamePattern, endsOf, isPattern, type NameTest } from './name-pattern';

interface PatternEntry<T> {
  readonly test: NameTest;
  readonly value: T;
}

/** Patterns with as many characters before their first `*` and behind their last one, by these characters. */
interface Shape<T> {
  readonly prefixLength: number;
  readonly suffixLength: number;
  readonly byEnds: Map<string, PatternEntry<T>[]>;
}

/** The most recent names whose results are kept, where a search takes long. */
const MAX_KEPT = 1_000;
const MAX_KEPT_LENGTH = 200;
/** To look at fewer patterns than this is as fast as to remember what came of it. */
const WORTH_KEEPING = 8;

/**
 * Values by the names they want; `*` in a name stands for any characters. A pattern is only held against a name that
 * begins and ends as it does. The same names come again and again, so their results are kept.
 */
export class NameIndex<T> {
  private readonly byName = new Map<string, T[]>();
  private readonly shapes: Shape<T>[] = [];
  private readonly kept = new Map<string, readonly T[]>();
  private patterns = 0;

  /** Adds a value that is wanted for any one of these names. */
  add(names: readonly string[], value: T): void {
    for (const name of new Set(names)) {
      if (isPattern(name)) this.addPattern(name, value);
      else append(this.byName, name, value);
    }
    this.kept.clear();
  }

  /** The values that want the name, each once. */
  find(name: string): readonly T[] {
    if (this.patterns < WORTH_KEEPING || name.length > MAX_KEPT_LENGTH) return this.search(name);
    const known = this.kept.get(name);
    if (known !== undefined) return known;
    const found = this.search(name);
    if (this.kept.size >= MAX_KEPT) this.forgetOldest();
    this.kept.set(name, found);
    return found;
  }

  private addPattern(name: string, value: T): void {
    const { prefix, suffix } = endsOf(name);
    const [prefixLength, suffixLength] = [prefix.length, suffix.length];
    let shape = this.shapes.find(
      (known) => known.prefixLength === prefixLength && known.suffixLength === suffixLength,
    );
    if (shape === undefined) {
      shape = { prefixLength, suffixLength, byEnds: new Map() };
      this.shapes.push(shape);
    }
    append(shape.byEnds, prefix + suffix, { test: compileNamePattern(name), value });
    this.patterns += 1;
  }

  private search(name: string): readonly T[] {
    const exact = this.byName.get(name) ?? [];
    if (this.patterns === 0) return exact;
    const found = new Set(exact);
    for (const { prefixLength, suffixLength, byEnds } of this.shapes) {
      if (name.length < prefixLength + suffixLength) continue;
      const ends = name.slice(0, prefixLength) + name.slice(name.length - suffixLength);
      for (const { test, value } of byEnds.get(ends) ?? []) if (test(name)) found.add(value);
    }
    return [...found];
  }

  private forgetOldest(): void {
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.kept.delete(oldest);
  }
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
