import { NameTaken, NoSuchPart, OnlyByHand, StillUsed } from '../problems.ts'
import { bare, type Config, spliceLines } from './config.ts'
import { appendSection, dropSection, findSection, type Section } from './sections.ts'
import { copyServer, editServer, readServer, renderServer, type ServerSettings } from './server-line.ts'
import { usersOfBackend, usersOfServer } from './uses.ts'
import { encodeWord, firstWord, readWords } from './words.ts'

const kinds = ['backend', 'listen']
const indent = '    '

/** Adds an empty backend at the end. */
export function addBackend(config: Config, draft: { readonly name: string; readonly mode: string; readonly balance: string }): Config {
  refuseTaken(config, draft.name)
  const balance = draft.balance.split(' ').map(encodeWord).join(' ')
  return appendSection(config, [`backend ${encodeWord(draft.name)}`, `${indent}mode ${encodeWord(draft.mode)}`, `${indent}balance ${balance}`])
}

/** Removes a backend, with everything that is its own. */
export function removeBackend(config: Config, name: string): Config {
  const section = sectionNamed(config, name)
  if (section.kind === 'listen') throw OnlyByHand(`name: ${name} is a listen section, which is a frontend too: change it as text`)
  const users = usersOfBackend(config, name)
  if (users.length > 0) throw StillUsed(`name: ${name} is used by ${users.slice(0, 5).join(', ')}`)
  return dropSection(config, section)
}

/** Adds a server after the last statement of its backend. */
export function addServer(config: Config, backend: string, settings: ServerSettings): Config {
  const section = sectionNamed(config, backend)
  refuseTakenServer(config, section, settings.name)
  const servers = serverLines(config, section)
  const like = servers.at(-1) ?? section.ownEnd - 1
  const space = like === section.start ? indent : (/^[ \t]*/.exec(config.lines[like]!)?.[0] ?? indent)
  return spliceLines(config, section.ownEnd, section.ownEnd, [renderServer(settings, space)])
}

/** Gives a server new settings, and a new name where they hold one. */
export function replaceServer(config: Config, backend: string, server: string, settings: ServerSettings): Config {
  const at = serverLine(config, backend, server)
  if (settings.name !== server) {
    refuseTakenServer(config, sectionNamed(config, backend), settings.name)
    refuseUsedServer(config, backend, server)
  }
  const lines = [...config.lines]
  lines[at] = editServer(lines[at]!, settings)
  return { lines }
}

/** Removes the line of a server. */
export function removeServer(config: Config, backend: string, server: string): Config {
  const at = serverLine(config, backend, server)
  refuseUsedServer(config, backend, server)
  return spliceLines(config, at, at + 1, [])
}

/** Copies a backend; the copies of its servers are named `<name>_<n>` from 1, and all get the port. */
export function duplicateBackend(config: Config, source: string, { name, port }: { readonly name: string; readonly port: number }): Config {
  const section = sectionNamed(config, source)
  refuseTaken(config, name)
  const names = new Map<string, string>()
  for (const at of serverLines(config, section)) names.set(readServer(config.lines[at]!)!.name, `${name}_${names.size + 1}`)
  const lines = config.lines.slice(section.start + 1, section.ownEnd).flatMap((line) => copyLine(bare(line), names, port))
  return appendSection(config, [copyHeader(bare(config.lines[section.start]!), name), ...lines])
}

/** A `listen` is copied as the backend that it holds: two cannot listen at one place. */
function copyHeader(line: string, name: string): string {
  const words = readWords(line)
  return `backend ${encodeWord(name)}${words
    .slice(2)
    .map(({ raw }) => ` ${raw}`)
    .join('')}`
}

const notCopied = new Set(['id', 'guid', 'bind', 'maxconn', 'default_backend', 'use_backend', 'monitor-uri'])

function copyLine(line: string, names: ReadonlyMap<string, string>, port: number): readonly string[] {
  const keyword = firstWord(line)
  if (keyword !== undefined && notCopied.has(keyword)) return []
  const words = readWords(line)
  const renamed = names.get(words[1]?.text ?? '')
  if (renamed === undefined) return [line]
  if (keyword === 'server' && words.length > 2) return [copyServer(line, { name: renamed, port })]
  if (keyword !== 'use-server') return [line]
  return [line.slice(0, words[1]!.start) + encodeWord(renamed) + line.slice(words[1]!.start + words[1]!.raw.length)]
}

function sectionNamed(config: Config, name: string): Section {
  const section = findSection(config, kinds, name)
  if (section === undefined) throw NoSuchPart(`name: there is no backend ${name}`)
  return section
}

function refuseTaken(config: Config, name: string): void {
  const taken = findSection(config, kinds, name)
  if (taken !== undefined) throw NameTaken(`name: there is a ${taken.kind} ${name} already`)
}

function refuseTakenServer(config: Config, section: Section, name: string): void {
  const isTaken = serverLines(config, section).some((at) => readServer(config.lines[at]!)!.name === name)
  if (isTaken) throw NameTaken(`name: the backend ${section.name} has a server ${name} already`)
}

function refuseUsedServer(config: Config, backend: string, server: string): void {
  const users = usersOfServer(config, backend, server)
  if (users.length > 0) throw StillUsed(`server: ${server} is used by ${users.slice(0, 5).join(', ')}`)
}

function serverLines({ lines }: Config, { start, end }: Section): readonly number[] {
  const found: number[] = []
  for (let at = start + 1; at < end; at++) if (firstWord(lines[at]!) === 'server' && readServer(lines[at]!) !== undefined) found.push(at)
  return found
}

function serverLine(config: Config, backend: string, server: string): number {
  const at = serverLines(config, sectionNamed(config, backend)).find((index) => readServer(config.lines[index]!)!.name === server)
  if (at === undefined) throw NoSuchPart(`server: the backend ${backend} has no server ${server}`)
  return at
}
