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
  const members = (Object.keys(MEMBER_OF) as TypedEventType[]).flatMap((type): [string, PlainSchema][] => {
    const { named = new Map<string, PlainSchema>(), nameless } = plannedMembers(type, content) ?? {};
    const ofType = [...named].map(([name, schema]): [string, PlainSchema] => [
      type === 'track' ? name : `${type} ${name}`,
      schema,
    ]);
    return nameless === undefined ? ofType : [...ofType, [`${type} ${MEMBER_OF[type]}`, nameless]];
  });
  const schema = { type: 'object', properties: Object.fromEntries(members), additionalProperties: false };
  // All is in the schema: nothing is fetched.
  const input = new JSONSchemaInput(undefined);
  await input.addSource({ name: ROOT, schema: JSON.stringify(schema) });
  const inputData = new InputData();
  inputData.addInput(input);
  const files = await quicktypeMultiFile({ inputData, lang: language });
  return new Map([...files].map(([file, { lines }]) => [file, `${lines.join('\n').trimEnd()}\n`]));
}
