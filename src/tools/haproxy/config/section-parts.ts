import { OnlyByHand } from '../problems.ts'
import { bare, type Config, spliceLines } from './config.ts'
import { outlineOf, type Section } from './outline.ts'
import { firstToken } from './tokens.ts'

/** How one part of a section is read from its statements and written as such. */
export interface PartKind<Item = any, Value = any> {
  readonly part: string
  /** The first words of its statements. */
  readonly keywords: readonly string[]
  read(line: string): Item | undefined
  render(item: Item): string
  /** What the statements say together. */
  valueOf(items: readonly Item[]): Value
  itemsOf(value: Value): readonly Item[]
  /** Whether the statements say more than a form can: then only a person may change them. */
  isBeyondForm?(items: readonly Item[]): boolean
  /** The same thing under other settings: its line is edited rather than replaced. */
  isSame?(one: Item, other: Item): boolean
  edit?(line: string, item: Item): string
}

/** Gives a section the parts that are named; the statements of all others stay as they are. */
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

/** The statements of a section itself that tell of a part. */
export function itemsIn<Item>(config: Config, section: Section, kind: PartKind<Item>): readonly Item[] {
  return statementsOf(config, section, kind).map(({ item }) => item)
}

/** What the statements of a section itself say of a part. */
export const readPart = <Value>(config: Config, section: Section, kind: PartKind<any, Value>): Value =>
  kind.valueOf(itemsIn(config, section, kind))

interface Setting {
  readonly config: Config
  readonly section: Section
  readonly kinds: readonly PartKind[]
}

/** Replaces the statements of one kind by those wanted; a statement that stays what it was keeps its bytes. */
function setPart({ config, section, kinds }: Setting, kind: PartKind, wanted: unknown): Config {
  const present = statementsOf(config, section, kind)
  const items = present.map(({ item }) => item)
  if (covers(kind.valueOf(items), wanted)) return config
  if (present.some(({ isConditional }) => isConditional))
    throw OnlyByHand(`${kind.part}: some of them stand inside .if: change them as text`)
  if (kind.isBeyondForm?.(items) === true)
    throw OnlyByHand(`${kind.part}: its statements say more than a form can: change them as text`)
  const at = present[0]?.at ?? placeFor(config, section, { kinds, kind })
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

/** Before what may name it in a condition, else at the end of the section. */
function placeFor(
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

/** Whether what is there is what is wanted; what the wanted leaves undefined may be anything. */
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
