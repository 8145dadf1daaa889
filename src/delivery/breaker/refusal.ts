import type { ErrorClass } from '../../connectors/error-classes';

const REFUSALS: readonly (string | undefined)[] = ['http_4xx', 'refused'] satisfies ErrorClass[];

/** Whether the receiver has answered that it does not take this event: it is there, and may take others. */
export function isRefusal({ errorClass }: { readonly errorClass: string | undefined }): boolean {
  return REFUSALS.includes(errorClass);
}
