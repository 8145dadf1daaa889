interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * What one can choose. What is chosen and not among them is shown as it is, so that looking at it does not change it.
 */
export function choicesOf(nothing: string, known: readonly Choice[], chosen: string): Choice[] {
  const isKnown = chosen === '' || known.some(({ value }) => value === chosen);
  return [{ value: '', label: nothing }, ...known, ...(isKnown ? [] : [{ value: chosen, label: chosen }])];
}
