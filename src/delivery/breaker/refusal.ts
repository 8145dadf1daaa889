import type { ErrorClass } from '../../connectors/error-classes';

const REFUSED: ErrorClass = 'http_4xx';

/** Whether the receiver has answered that it does not take this event: it is there, and may take others. */
export function isRefusal({ errorClass }: { readonly errorClass: string | undefined }): boolean {
  return errorClass === REFUSED;
}
