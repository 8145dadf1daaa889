/**
 * A text of a plan for a comment of some language: on one line, and nothing in it ends a comment or begins one. Java
 * reads `\u002a/` as the end of one, Kotlin and Swift count those that begin.
 */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll('\\', '/')
    .replaceAll(/(?<=\*)(?=\/)|(?<=\/)(?=\*)/g, ' ')
    .trim();
}
