/** What the system calls a failure, such as `ENOENT`; undefined of what no call of the system has thrown. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
