import { OnlyByHand } from '../problems.ts'
import { bare, type Config, spliceLines } from './config.ts'
import { outlineOf, type Section } from './outline.ts'
import { firstToken } from './tokens.ts'

/** Defines how one part of a section is read from its statements and rendered to them. */
export interface PartKind<Item = any, Value = any> {
  readonly part: string
  /** The leading words of its statements. */
  readonly keywords: readonly string[]
  read(line: string): Item | undefined
  render(item: Item): string
  /** Returns the combined value of the statements. */
  valueOf(items: readonly Item[]): Value
  itemsOf(value: Value): readonly Item[]
  /** True if the statements contain more than a form can represent: then only a person may change them. */
  isBeyondForm?(items: readonly Item[]): boolean
  /**
   * True if both items are the same object with different settings: its line is then edited rather than
   * replaced.
   */
  isSame?(one: Item, other: Item): boolean
  edit?(line: string, item: Item): string
}

/** Sets the given parts of a section; keeps the statements of all other parts. */
export function setParts(
  config: Config,
  find: (config: Config) => Section,
  {
    kinds,
    parts,
  }: { readonly kinds: readonly PartKind[]; readonly parts: Readonly<Record<string, unknown>> },
): Config {
  return kinds.reduce((current, kind) => {
    const wanted = parts[kind.part]
    return wanted === undefined
      ? current
      : setPart({ config: current, section: find(current), kinds }, kind, wanted)
  }, config)
}

/** Returns the statements of the section itself that belong to a part. */
export function itemsIn<Item>(config: Config, section: Section, kind: PartKind<Item>): readonly Item[] {
  return statementsOf(config, section, kind).map(({ item }) => item)
}

/** Returns the value of a part according to the section's own statements. */
export const readPart = <Value>(config: Config, section: Section, kind: PartKind<any, Value>): Value =>
  kind.valueOf(itemsIn(config, section, kind))

interface Setting {
  readonly config: Config
  readonly section: Section
  readonly kinds: readonly PartKind[]
}

/** Replaces the statements of one kind by the wanted ones; an unchanged statement keeps its bytes. */
function setPart({ config, section, kinds }: Setting, kind: PartKind, wanted: unknown): Config {
  const present = statementsOf(config, section, kind)
  const items = present.map(({ item }) => item)
  if (covers(kind.valueOf(items), wanted)) return config
  if (present.some(({ isConditional }) => isConditional))
    throw OnlyByHand(`${kind.part}: some of its statements are inside .if: edit them as text`)
  if (kind.isBeyondForm?.(items) === true)
    throw OnlyByHand(`${kind.part}: a form cannot represent its statements: edit them as text`)
  const at = present[0]?.at ?? insertionLine(config, section, { kinds, kind })
  const space = /^[ \t]*/.exec(config.lines[present[0]?.at ?? section.start + 1] ?? '')?.[0] || '    '
  const lines = kind.itemsOf(wanted).map((item) => {
    const same = present.find((each) => covers(each.item, item))
    if (same !== undefined) return bare(config.lines[same.at]!)
    const like = kind.isSame && kind.edit ? present.find((each) => kind.isSame!(each.item, item)) : undefined
    return like === undefined ? space + kind.render(item) : kind.edit!(bare(config.lines[like.at]!), item)
  })
  const cleared = present
    .toReversed()
    .reduce((current, each) => spliceLines(current, each.at, each.at + 1, []), config)
  return spliceLines(cleared, at, at, lines)
}

interface Statement<Item> {
  readonly at: number
  readonly item: Item
  readonly isConditional: boolean
}

function statementsOf<Item>(
  config: Config,
  { statements }: Section,
  { keywords, read }: PartKind<Item>,
): readonly Statement<Item>[] {
  const { isConditional } = outlineOf(config)
  const lines = keywords.flatMap((keyword) => statements.get(keyword) ?? [])
  if (keywords.length > 1) lines.sort((one, other) => one - other)
  return lines.flatMap((at) => {
    const item = read(config.lines[at]!)
    return item === undefined ? [] : [{ at, item, isConditional: isConditional(at) }]
  })
}

/** Before the statements whose conditions may name it, otherwise at the end of the section. */
function insertionLine(
  { lines }: Config,
  { start, ownEnd }: Section,
  { kinds, kind }: { readonly kinds: readonly PartKind[]; readonly kind: PartKind },
): number {
  const later = kinds.slice(kinds.indexOf(kind) + 1)
  const isRuleItself = kind.part === 'defaultBackend' || kind.part === 'rules'
  for (let at = start + 1; at < ownEnd; at++) {
    const line = lines[at]!
    const isRule =
      /^(?:\.if|(?:http|tcp)-(?:request|response)|redirect|use_backend|server|server-template|use-server)$/.test(
        firstToken(line) ?? '',
      )
    if ((isRule && !isRuleItself) || later.some((each) => each.read(line) !== undefined)) return at
  }
  return ownEnd
}

/**
 * True if the present value matches the wanted one; a field that is undefined in the wanted value may be
 * anything.
 */
export function covers(present: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(present) &&
      present.length === wanted.length &&
      wanted.every((each, at) => covers(present[at], each))
    )
  if (typeof wanted !== 'object' || wanted === null) return present === wanted
  if (typeof present !== 'object' || present === null) return false
  return Object.entries(wanted).every(
    ([key, value]) => value === undefined || covers(Reflect.get(present, key), value),
  )
}
