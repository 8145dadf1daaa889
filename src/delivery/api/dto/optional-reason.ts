import { OptionalText } from '../../../platform/http/input/optional-members';

/**
 * The reason by which deliveries or dead letters are chosen. Connectors have error classes of their own, also those that
 * are not installed any more: so any text may be one.
 * @param example an error class of the service
 */
export function OptionalReason(description: string, example = 'http_5xx'): PropertyDecorator {
  return OptionalText(0, 100, {
    example,
    description: `${description} Connectors have reasons of their own, so any text is taken; one that none has finds none.`,
  });
}
