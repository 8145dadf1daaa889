/** Where the parts of a stacked bar lie, from below: each on those before it. */
export function heightsOf(
  values: readonly number[],
  scale: number,
): readonly { readonly y: number; readonly height: number }[] {
  let y = 0;
  return values.map((value) => {
    const height = value * scale;
    const part = { y, height };
    y += height;
    return part;
  });
}
