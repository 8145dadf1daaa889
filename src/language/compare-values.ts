/**
 * Orders strings by code point, as PostgreSQL does with `collate "C"` on UTF-8. JavaScript's `<` compares UTF-16
 * units, which puts everything above U+FFFF (written with surrogates) before U+E000 to U+FFFF.
 */
export function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return codePointRank(leftUnit) - codePointRank(rightUnit);
  }
  return left.length - right.length;
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

function codePointRank(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + 0x10000 : unit;
}
