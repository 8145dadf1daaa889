import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_IDS, type ExampleId } from './example-ids';

/** What exists, in place of what the examples say; the others stay as they are. */
export type ExistingExamples = Partial<Record<ExampleId, string>>;

/** Returns a copy of the document whose examples name what exists. */
export function fillInExamples(document: OpenAPIObject, existing: ExistingExamples): OpenAPIObject {
  let text = JSON.stringify(document);
  for (const [name, value] of Object.entries(existing) as [ExampleId, string][])
    text = text.replaceAll(`"${EXAMPLE_IDS[name]}"`, () => JSON.stringify(value));
  return JSON.parse(text) as OpenAPIObject;
}
