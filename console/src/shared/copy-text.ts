/** Puts a text on the clipboard. @returns whether that worked */
export async function copyText(text: string): Promise<boolean> {
  // Over plain HTTP, as inside many networks, browsers have no `navigator.clipboard`.
  if (!globalThis.isSecureContext) return copySelection(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function copySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}
