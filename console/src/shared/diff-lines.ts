/** Larger ones are not laid side by side: the page would stand still. */
const MAX_CELLS = 4_000_000;

/** A line of two texts that are laid side by side. */
export interface DiffedLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** What is different between two texts, line by line, with as few lines removed and added as can be. */
export function diffLines(before: string, after: string): DiffedLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const start = sameAtStart(old, now);
  const end = sameAtStart(old.slice(start).toReversed(), now.slice(start).toReversed());
  return [
    ...linesOf('same', old.slice(0, start)),
    ...diffMiddles(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...linesOf('same', old.slice(old.length - end)),
  ];
}

function sameAtStart(old: readonly string[], now: readonly string[]): number {
  const different = old.findIndex((line, index) => line !== now[index]);
  return different === -1 ? old.length : different;
}

function linesOf(kind: DiffedLine['kind'], texts: readonly string[]): DiffedLine[] {
  return texts.map((text) => ({ kind, text }));
}

function diffMiddles(old: readonly string[], now: readonly string[]): DiffedLine[] {
  if (old.length * now.length > MAX_CELLS) return [...linesOf('removed', old), ...linesOf('added', now)];
  const common = commonLengths(old, now);
  const lines: DiffedLine[] = [];
  let [o, n] = [0, 0];
  while (o < old.length || n < now.length) {
    const [left, right] = [old[o], now[n]];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      o += 1;
      n += 1;
    } else if (left !== undefined && (right === undefined || at(common, o + 1, n) >= at(common, o, n + 1))) {
      lines.push({ kind: 'removed', text: left });
      o += 1;
    } else {
      lines.push({ kind: 'added', text: right ?? '' });
      n += 1;
    }
  }
  return lines;
}

/** How many lines the rests from each line on have in common: the longest common subsequence, from the end. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array[] {
  const rows: Uint32Array[] = [];
  let below = new Uint32Array(now.length + 1);
  for (const line of old.toReversed()) {
    rows.push(below);
    below = rowAbove(below, line, now);
  }
  return [...rows, below].toReversed();
}

function rowAbove(below: Uint32Array, line: string, now: readonly string[]): Uint32Array<ArrayBuffer> {
  const row = new Uint32Array(now.length + 1);
  for (let n = now.length - 1; n >= 0; n -= 1)
    row[n] = line === now[n] ? (below[n + 1] ?? 0) + 1 : Math.max(below[n] ?? 0, row[n + 1] ?? 0);
  return row;
}

function at(rows: readonly Uint32Array[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}
