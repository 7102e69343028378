import { NameTaken, NoSuchPart, OnlyByHand, StatementInvalid, StillUsed } from '../problems.ts'
import { backendKinds, type BackendParts } from './backend-parts.ts'
import { type Config, spliceLines } from './config.ts'
import { effectiveParts, inheritedParams } from './proxies.ts'
import { covers, itemsIn, setParts } from './section-parts.ts'
import { appendSection, dropSection, findSection, refuseConditional, type Section } from './sections.ts'
import { editServer, readServer, renderServer, serverName, type ServerSettings } from './server-line.ts'
import { usersOfBackend, usersOfServer } from './uses.ts'
import { encodeToken } from './tokens.ts'

const kinds = ['backend', 'listen']
const indent = '    '

/** Appends an empty backend. */
export function addBackend(
  config: Config,
  draft: {
    readonly name: string
    readonly mode: string
    readonly balance: string
    readonly parts?: Partial<BackendParts>
  },
): Config {
  refuseTakenBackend(config, draft.name)
  const balance = draft.balance.split(' ').map(encodeToken).join(' ')
  const lines = [
    `backend ${encodeToken(draft.name)}`,
    `${indent}mode ${encodeToken(draft.mode)}`,
    `${indent}balance ${balance}`,
  ]
  return editBackend(appendSection(config, lines), draft.name, draft.parts ?? {})
}

/** Sets the given parts of a backend; keeps the statements of all other parts. */
export function editBackend(config: Config, name: string, parts: Partial<BackendParts>): Config {
  const section = backendNamed(config, name)
  refuseConditional(config, section.start, `name: the backend ${name}`)
  const changed = notInherited(config, section, parts)
  const edited = setParts(config, (current) => backendNamed(current, name), {
    kinds: backendKinds,
    parts: changed,
  })
  return changed.sticky === undefined ? edited : withCookies(edited, name)
}

/** Removes a backend with its whole section. */
export function removeBackend(config: Config, name: string): Config {
  const section = backendNamed(config, name)
  refuseConditional(config, section.start, `name: the backend ${name}`)
  if (section.kind === 'listen')
    throw OnlyByHand(`name: ${name} is a listen section, which is also a frontend: edit it as text`)
  const users = usersOfBackend(config, name)
  if (users.length > 0)
    throw StillUsed(`name: the backend ${name} is used by ${users.slice(0, 5).join(', ')}`)
  return dropSection(config, section)
}

/** Adds a server after the last statement of its backend. */
export function addServer(config: Config, backend: string, settings: ServerSettings): Config {
  const section = backendNamed(config, backend)
  refuseConditional(config, section.start, `name: the backend ${backend}`)
  refuseTakenServer(config, section, settings.name)
  const last = section.statements.get('server')?.at(-1) ?? section.ownEnd - 1
  const space = last === section.start ? indent : (/^[ \t]*/.exec(config.lines[last]!)?.[0] ?? indent)
  const inherited = inheritedParams(config, section, section.ownEnd)
  const line = renderServer(withCookie(config, section, settings), space, inherited)
  return spliceLines(config, section.ownEnd, section.ownEnd, [line])
}

/** Replaces the settings of a server, and its name if the settings contain one. */
export function replaceServer(
  config: Config,
  backend: string,
  server: string,
  settings: ServerSettings,
): Config {
  const section = backendNamed(config, backend)
  const at = serverLine(config, section, server)
  if (settings.name !== server) {
    refuseTakenServer(config, section, settings.name)
    refuseUsedServer(config, backend, server)
  }
  const lines = [...config.lines]
  lines[at] = editServer(lines[at]!, settings, inheritedParams(config, section, at))
  return { lines }
}

/** Removes the line of a server. */
export function removeServer(config: Config, backend: string, server: string): Config {
  const at = serverLine(config, backendNamed(config, backend), server)
  refuseUsedServer(config, backend, server)
  return spliceLines(config, at, at + 1, [])
}

/** Returns the section of a backend; throws if it does not exist. */
export function backendNamed(config: Config, name: string): Section {
  const section = findSection(config, kinds, name)
  if (section === undefined) throw NoSuchPart(`name: there is no backend ${name}`)
  return section
}

export function refuseTakenBackend(config: Config, name: string): void {
  const taken = findSection(config, kinds, name)
  if (taken !== undefined) throw NameTaken(`name: a ${taken.kind} ${name} already exists`)
}

/** Omits the parts that the defaults already provide; an inherited part cannot be removed in the section. */
function notInherited(config: Config, section: Section, parts: Partial<BackendParts>): Partial<BackendParts> {
  const effective: BackendParts = effectiveParts(config, section)
  if (parts.sticky?.by === 'cookie' && (parts.mode ?? effective.mode) !== 'http')
    throw StatementInvalid('sticky: a cookie requires mode http; with mode tcp, use the source')
  return Object.fromEntries(
    backendKinds.flatMap((kind): [string, unknown][] => {
      const name = kind.part
      const [wanted, present]: unknown[] = [Reflect.get(parts, name), Reflect.get(effective, name)]
      if (wanted === undefined || covers(present, wanted)) return []
      const isOwn = name === 'timeouts' || itemsIn(config, section, kind).length > 0
      if (!isOwn && (wanted === null || wanted === false) && present !== null && present !== false)
        throw OnlyByHand(`${name}: ${section.name} inherits it from its defaults: edit the defaults as text`)
      return [[name, wanted]]
    }),
  )
}

/** With a sticky cookie, each server needs a cookie value: its name, unless it already has one. */
function withCookie(config: Config, section: Section, settings: ServerSettings): ServerSettings {
  const isByCookie = effectiveParts(config, section).sticky?.by === 'cookie'
  return isByCookie && settings.cookie === undefined ? { ...settings, cookie: settings.name } : settings
}

function withCookies(config: Config, backend: string): Config {
  const section = backendNamed(config, backend)
  const isByCookie = effectiveParts(config, section).sticky?.by === 'cookie'
  const lines = [...config.lines]
  for (const at of section.statements.get('server') ?? []) {
    const inherited = inheritedParams(config, section, at)
    const found = readServer(lines[at]!, inherited)
    if (found === undefined || (isByCookie ? found.cookie !== null : found.cookie !== found.name)) continue
    refuseConditional(config, at, `sticky: the server ${found.name}`)
    const { name, address, port, weight, isBackup, usesTls, isChecked } = found
    const own = { name, address, port: port ?? 0, weight, isBackup, usesTls, isChecked }
    lines[at] = editServer(lines[at]!, { ...own, cookie: isByCookie ? name : null }, inherited)
  }
  return { lines }
}

function refuseTakenServer(config: Config, section: Section, name: string): void {
  const isTaken = (section.statements.get('server') ?? []).some(
    (at) => serverName(config.lines[at]!) === name,
  )
  if (isTaken) throw NameTaken(`name: the backend ${section.name} already has a server ${name}`)
}

function refuseUsedServer(config: Config, backend: string, server: string): void {
  const users = usersOfServer(config, backend, server)
  if (users.length > 0)
    throw StillUsed(`server: the server ${server} is used by ${users.slice(0, 5).join(', ')}`)
}

function serverLine(config: Config, section: Section, server: string): number {
  const at = section.statements.get('server')?.find((line) => serverName(config.lines[line]!) === server)
  if (at === undefined) throw NoSuchPart(`server: the backend ${section.name} has no server ${server}`)
  refuseConditional(config, at, `server: the server ${server}`)
  return at
}
