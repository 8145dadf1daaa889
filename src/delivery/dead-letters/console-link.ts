/**
 * Where people read on.
 * @param path in the console
 * @param publicUrl of the service; the link is relative without it
 */
export function consoleLink(path: string, publicUrl = ''): string {
  return `${publicUrl.replace(/\/$/, '')}/console/${path}`;
}
