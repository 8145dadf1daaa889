import { Problem } from '../platform/http/problem';

/** The service runs from sources whose page was never built. */
export class ConsoleNotBuiltError extends Problem {
  readonly status = 404;
  readonly code = 'console_not_built';

  constructor() {
    super('The console is not built: run `npm run build`.');
  }
}

/** A page of another version asks for a file that this version does not have. */
export class PageFileNotFoundError extends Problem {
  readonly status = 404;
  readonly code = 'file_not_found';

  constructor() {
    super('This version of the console has no such file: load the page again.');
  }
}
