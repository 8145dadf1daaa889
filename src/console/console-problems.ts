import { problem } from '../platform/http/problems/problem';

/** The service runs from sources whose page was never built. */
export class ConsoleNotBuiltError extends problem(
  404,
  'console_not_built',
  'The console is not built: run `npm run build`.',
) {}

/** A page of another version asks for a file that this version does not have. */
export class PageFileNotFoundError extends problem(
  404,
  'file_not_found',
  'This version of the console has no such file: load the page again.',
) {}
