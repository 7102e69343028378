import { NameTaken, NoSuchPart, OnlyByHand } from '../problems.ts'
import { bare, type Config, spliceLines } from './config.ts'
import { type FrontendParts, type PartKind, partKinds } from './frontend-parts.ts'
import { appendSection, dropSection, findSection, type Section } from './sections.ts'
import { encodeWord, firstWord } from './words.ts'

const indent = '    '

/** Adds a frontend at the end. */
export function addFrontend(config: Config, name: string, parts: Partial<FrontendParts>): Config {
  const taken = findSection(config, ['frontend', 'listen'], name)
  if (taken !== undefined) throw NameTaken(`name: there is a ${taken.kind} ${name} already`)
  return editFrontend(appendSection(config, [`frontend ${encodeWord(name)}`]), name, parts)
}

/** Gives a frontend the parts that are named; the statements of all others stay as they are. */
export function editFrontend(config: Config, name: string, parts: Partial<FrontendParts>): Config {
  return partKinds.reduce((current, kind) => {
    const wanted = parts[kind.part]
    if (wanted === undefined) return current
    const items = wanted === null ? [] : Array.isArray(wanted) ? wanted : [String(wanted)]
    return setPart(current, frontendNamed(current, name), kind, items)
  }, config)
}

/** Removes a frontend, with everything that is its own. */
export function removeFrontend(config: Config, name: string): Config {
  const section = frontendNamed(config, name)
  if (section.kind === 'listen') throw OnlyByHand(`name: ${name} is a listen section, which is a backend too: change it as text`)
  return dropSection(config, section)
}

function frontendNamed(config: Config, name: string): Section {
  const section = findSection(config, ['frontend', 'listen'], name)
  if (section === undefined) throw NoSuchPart(`name: there is no frontend ${name}`)
  return section
}

/** Replaces the statements of one kind by those wanted; a statement that stays what it was keeps its bytes. */
function setPart(config: Config, section: Section, kind: PartKind<unknown>, wanted: readonly unknown[]): Config {
  const present = statementsOf(config, section, kind)
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  if (present.length === wanted.length && present.every(({ item }, index) => same(item, wanted[index]))) return config
  if (present.some(({ isConditional }) => isConditional)) throw OnlyByHand(`${kind.part}: some of them stand inside .if: change them as text`)
  const at = present[0]?.at ?? placeFor(config, section, kind)
  const space = /^[ \t]*/.exec(config.lines[present[0]?.at ?? section.start + 1] ?? '')?.[0] || indent
  const lines = wanted.map((item) => {
    const kept = present.find((each) => same(each.item, item))
    if (kept !== undefined) return bare(config.lines[kept.at]!)
    const like = kind.isSame && kind.edit ? present.find((each) => kind.isSame!(each.item, item)) : undefined
    return like === undefined ? space + kind.render(item) : kind.edit!(bare(config.lines[like.at]!), item)
  })
  const cleared = present.toReversed().reduce((current, each) => spliceLines(current, each.at, each.at + 1, []), config)
  return spliceLines(cleared, at, at, lines)
}

interface Statement {
  readonly at: number
  readonly item: unknown
  readonly isConditional: boolean
}

function statementsOf({ lines }: Config, { start, end }: Section, kind: PartKind<unknown>): readonly Statement[] {
  const found: Statement[] = []
  let depth = 0
  for (let at = start + 1; at < end; at++) {
    const word = firstWord(lines[at]!)
    if (word === '.if') depth++
    if (word === '.endif') depth--
    const item = kind.read(lines[at]!)
    if (item !== undefined) found.push({ at, item, isConditional: depth !== 0 })
  }
  return found
}

/** Before what may name it in a condition, else at the end of the section. */
function placeFor({ lines }: Config, { start, ownEnd }: Section, kind: PartKind<unknown>): number {
  const later = partKinds.slice(partKinds.indexOf(kind) + 1)
  for (let at = start + 1; at < ownEnd; at++) {
    const line = lines[at]!
    const isRule = /^(?:\.if|(?:http|tcp)-(?:request|response)|redirect|use_backend)$/.test(firstWord(line) ?? '')
    if ((isRule && kind.part !== 'defaultBackend' && kind.part !== 'rules') || later.some((each) => each.read(line) !== undefined)) return at
  }
  return ownEnd
}
