import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_IDS, type ExampleId } from './example-ids';

/** What exists, in place of what the examples say; the others stay as they are. */
export type ExistingExamples = Partial<Record<ExampleId, string>>;

/**
 * Returns a copy of the document whose examples name what exists. `x-existing-examples` says what stands for what, for
 * a page that was loaded before it existed.
 */
export function fillInExamples(document: OpenAPIObject, existing: ExistingExamples): OpenAPIObject {
  let text = JSON.stringify(document);
  for (const [name, value] of Object.entries(existing) as [ExampleId, string][])
    text = text.replaceAll(`"${EXAMPLE_IDS[name]}"`, () => JSON.stringify(value));
  const stands = Object.entries(existing).map(([name, value]) => [EXAMPLE_IDS[name as ExampleId], value]);
  return Object.assign(JSON.parse(text) as OpenAPIObject, { 'x-existing-examples': stands });
}
