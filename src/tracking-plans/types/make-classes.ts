import type { PlanContent } from '../language/plan';
import { loadGenerator } from './load-generator';
import type { Language, NamedPlan, TypesByFile } from './make-types';
import { MEMBER_OF, plannedMembers, type TypedEventType } from './planned-members';
import type { PlainSchema } from './plain-schema';

/** What quicktype calls the type that holds all others. */
const ROOT = 'TrackingPlan';

/** Classes for the properties and traits of a plan, by quicktype. */
export async function makeClasses(
  { content }: NamedPlan,
  language: Exclude<Language, 'typescript'>,
): Promise<TypesByFile> {
  const { InputData, JSONSchemaInput, quicktypeMultiFile } = await loadGenerator('quicktype-core');
  const schema = {
    type: 'object',
    properties: Object.fromEntries(schemasByClass(content)),
    additionalProperties: false,
  };
  // All is in the schema: nothing is fetched.
  const input = new JSONSchemaInput(undefined);
  await input.addSource({ name: ROOT, schema: JSON.stringify(schema) });
  const inputData = new InputData();
  inputData.addInput(input);
  const files = await quicktypeMultiFile({ inputData, lang: language });
  return new Map([...files].map(([file, { lines }]) => [file, `${lines.join('\n').trimEnd()}\n`]));
}

/** Under the name of the event, which for all but track stands behind their type; no two have the same. */
export function schemasByClass(content: PlanContent): Map<string, PlainSchema> {
  const schemas = new Map<string, PlainSchema>();
  const add = (type: TypedEventType, given: string, schema: PlainSchema): void => {
    let name = given;
    while (schemas.has(name)) name = `${type} ${name}`;
    schemas.set(name, schema);
  };
  for (const type of Object.keys(MEMBER_OF) as TypedEventType[]) {
    const { named = new Map<string, PlainSchema>(), nameless } = plannedMembers(type, content) ?? {};
    for (const [name, schema] of named) add(type, type === 'track' ? name : `${type} ${name}`, schema);
    if (nameless !== undefined) add(type, `${type} ${MEMBER_OF[type]}`, nameless);
  }
  return schemas;
}
