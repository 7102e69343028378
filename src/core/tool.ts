import type { AnyStepKind } from './change.ts'

/** The detected state of a program. */
export interface Found {
  readonly present: boolean
  readonly version: string | null
  readonly healthy: boolean
  /** Why it cannot be used; null when it can. */
  readonly reason: string | null
}

/** Tools of which one is enough. */
export interface OneOf<Name extends string> {
  readonly oneOf: readonly [Name, ...Name[]]
}

/**
 * A tool without which an area cannot work, by its name (`php-fpm@8.2` for one version of it), or
 * alternatives.
 */
export type Need<Name extends string> = Name | OneOf<Name>

/** An area needs one of these tools; the first one that works is used. */
export function oneOf<const Name extends string>(...names: readonly [Name, ...Name[]]): OneOf<Name> {
  return { oneOf: names }
}

/** A kind of step that is named when its tool is opened. */
export interface StepDraft<Verb extends string, On, Kind extends AnyStepKind> {
  readonly verb: Verb
  readonly bind: (on: On, name: string) => Kind
}

type AnyStepDrafts<On> = Readonly<Record<string, StepDraft<string, On, AnyStepKind>>>

/** The step kinds of drafts, each named by its verb and its key: `writeSites` of `sites`. */
export type StepsOf<Drafts extends AnyStepDrafts<any>> = {
  readonly [Key in keyof Drafts & string as `${Drafts[Key]['verb']}${Capitalize<Key>}`]: ReturnType<
    Drafts[Key]['bind']
  >
}

/** Binds the drafts of a tool; `sites` of nginx becomes the kind `nginx.write-sites`. */
export function bindSteps<On, Drafts extends AnyStepDrafts<On>>(
  drafts: Drafts,
  on: On,
  tool: string,
): StepsOf<Drafts> {
  const kinds = Object.entries(drafts).map(([key, { verb, bind }]) => {
    const kebab = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return [`${verb}${key.charAt(0).toUpperCase()}${key.slice(1)}`, bind(on, `${tool}.${verb}-${kebab}`)]
  })
  return Object.fromEntries(kinds) as StepsOf<Drafts>
}

/** Maps keys to a record of values; the keys keep their types. */
export function mapKeys<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Readonly<Record<Key, Value>> {
  return Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<Key, Value>
}

/** The keys of a record, with their types. */
export function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record) as Key[]
}

/** Returns an empty record for an absent one. */
export function orEmpty<Value extends object>(value: Value | undefined): Value {
  return value ?? ({} as Value)
}

/** A value that is opened on a host. */
interface Openable {
  open(on: any, options?: any): unknown
  each(opened: any): readonly unknown[]
}

type Openables = Readonly<Record<string, Openable>>

/** The results of opening a list, by the same keys. */
export type OpenedOf<List extends Openables> = {
  readonly [Key in keyof List]: ReturnType<List[Key]['open']>
}

/** The options of the values that have any. */
export type OptionsOf<List extends Openables> = {
  readonly [Key in keyof List]?: NonNullable<Parameters<List[Key]['open']>[1]>
}

/** Opens each value of a list, and lists the results: several if there are versions. */
export function openEach<List extends Openables>(
  list: List,
  on: Parameters<List[keyof List]['open']>[0],
  options: OptionsOf<List>,
): { readonly opened: OpenedOf<List>; readonly all: ReturnType<List[keyof List]['each']> } {
  const opened = mapKeys(Object.keys(list), (key) => list[key]?.open(on, options[key]))
  const all = Object.entries(list).flatMap(([key, each]) => each.each(opened[key]))
  return { opened: opened as OpenedOf<List>, all: all as ReturnType<List[keyof List]['each']> }
}
