import { MEMBER_OF, type TypedEventType } from './planned-members';

/** What a plan has of one type of events. */
export interface CallsOfType {
  readonly type: TypedEventType;
  readonly hasNamed: boolean;
  readonly hasNameless: boolean;
  /** Names that the plan does not have are refused. */
  readonly isStrict: boolean;
}

/**
 * TypeScript for SDKs that take what `PlannedMembers` says and nothing else: `typed` for those that take names and
 * properties one after the other (browsers and apps), `typedServer` for those that take one message (Node.js). Both
 * return what they are given: they cost nothing at run time. Calls that the plan says nothing of stay as they are.
 */
export function sdkTypes(calls: readonly CallsOfType[]): string {
  return [
    ...calls.flatMap(typesOf),
    HELPERS,
    interfaceOf('TypedCalls', 'Calls of an SDK for browsers and apps.', calls.flatMap(positionalCalls)),
    interfaceOf('TypedServerCalls', 'Calls of an SDK for servers.', calls.flatMap(messageCalls)),
    FUNCTIONS,
  ].join('\n\n');
}

/** Names of types: `TrackName`, `TrackProperties<Name>`; without names only `IdentifyTraits`. */
function typesOf({ type, hasNamed, hasNameless, isStrict }: CallsOfType): string[] {
  const [title, member] = [titled(type), titled(MEMBER_OF[type])];
  const other = hasNameless ? `PlannedMembers['${namelessKey(type)}']` : 'Record<string, unknown>';
  if (!takesName(type)) return [`export type ${title}${member} = ${other};`];
  const known = hasNamed ? `keyof PlannedMembers['${type}'] & string` : 'never';
  const isOpen = hasNameless || !isStrict;
  const ofKnown = `Name extends keyof PlannedMembers['${type}'] ? PlannedMembers['${type}'][Name] : ${other}`;
  return [
    `/** What ${type} may be called with. */\nexport type ${title}Name = ${isOpen ? 'string' : known};`,
    hasNamed
      ? `export type ${title}${member}<Name extends string> = ${ofKnown};`
      : `export type ${title}${member}<_Name extends string> = ${other};`,
  ];
}

function positionalCalls({ type, hasNameless, isStrict }: CallsOfType): string[] {
  const title = titled(type);
  const returns = `Returned<Sdk, '${type}'>`;
  if (type === 'identify' || type === 'group') {
    const onlyTraits = type === 'identify' ? [`${type}(...rest: Rest<${title}Traits>): ${returns};`] : [];
    return [`${type}(id: string, ...rest: Rest<${title}Traits>): ${returns};`, ...onlyTraits];
  }
  const rest = `...rest: Rest<${title}Properties<Name>>`;
  const named = `${type}<Name extends ${title}Name>(name: Name, ${rest}): ${returns};`;
  if (type === 'track') return [named];
  const nameless =
    hasNameless || !isStrict ? [`${type}(...rest: Rest<${title}Properties<string>>): ${returns};`] : [];
  return [
    named,
    `${type}<Name extends ${title}Name>(category: string, name: Name, ${rest}): ${returns};`,
    ...nameless,
  ];
}

function messageCalls({ type, hasNameless, isStrict }: CallsOfType): string[] {
  const [title, member] = [titled(type), MEMBER_OF[type]];
  const after = `...rest: unknown[]): Returned<Sdk, '${type}'>;`;
  if (!takesName(type)) {
    return [
      `${type}(message: Message<Sdk, '${type}', '${member}'> & Given<'${member}', ${title}Traits>, ${after}`,
    ];
  }
  const nameMember = type === 'track' ? 'event' : 'name';
  const others = `Message<Sdk, '${type}', '${nameMember}' | '${member}'>`;
  const properties = `Given<'${member}', ${title}Properties<Name>>`;
  const named = `${type}<Name extends ${title}Name>(message: ${others} & { ${nameMember}: Name } & ${properties}, ${after}`;
  if (type === 'track' || !(hasNameless || !isStrict)) return [named];
  const ofNone = `Given<'${member}', ${title}Properties<string>>`;
  return [named, `${type}(message: ${others} & { ${nameMember}?: undefined } & ${ofNone}, ${after}`];
}

/** Where `PlannedMembers` has what is said of events without a name of their own. */
export function namelessKey(type: TypedEventType): string {
  return takesName(type) ? `other${titled(type)}` : type;
}

function takesName(type: TypedEventType): boolean {
  return MEMBER_OF[type] === 'properties';
}

function interfaceOf(name: string, comment: string, calls: readonly string[]): string {
  return [
    `/** ${comment} */`,
    `export interface ${name}<Sdk> {`,
    ...calls.map((call) => `  ${call}`),
    '}',
  ].join('\n');
}

function titled(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

const HELPERS = `/** What an object has under a name; it may be left out where the plan asks for nothing. */
type Given<Member extends string, Type> = {} extends Type ? { [Key in Member]?: Type } : { [Key in Member]: Type };
type Rest<Type> = {} extends Type ? [given?: Type, ...options: unknown[]] : [given: Type, ...options: unknown[]];
type Call<Sdk, Name extends string> = Sdk extends { [Key in Name]: infer Found } ? Found : never;
type Returned<Sdk, Name extends string> = Call<Sdk, Name> extends (...given: any[]) => infer Result ? Result : unknown;
/** The message of a call without the members that the plan describes. */
type Message<Sdk, Name extends string, Planned extends string> =
  Call<Sdk, Name> extends (message: infer Whole, ...rest: any[]) => unknown ? Without<Whole, Planned> : object;
type Without<Whole, Planned extends string> = Whole extends unknown ? Omit<Whole, Planned> : never;`;

const FUNCTIONS = `/** An SDK for browsers and apps, whose calls take what the plan says. */
export function typed<Sdk extends object>(sdk: Sdk): Omit<Sdk, keyof TypedCalls<Sdk>> & TypedCalls<Sdk> {
  return sdk as never;
}

/** An SDK for servers, whose messages are what the plan says. */
export function typedServer<Sdk extends object>(sdk: Sdk): Omit<Sdk, keyof TypedServerCalls<Sdk>> & TypedServerCalls<Sdk> {
  return sdk as never;
}
`;
