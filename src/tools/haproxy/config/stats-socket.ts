import type { SocketAddress } from '../socket.ts'
import type { Config } from './config.ts'
import { linesOf, sectionsOf } from './sections.ts'
import { readTokens } from './tokens.ts'

/**
 * Returns the configured address of the runtime API with permission to make changes; undefined if there is
 * none.
 */
export function statsSocketOf(config: Config): SocketAddress | undefined {
  const sockets = sectionsOf(config).flatMap((section) =>
    section.kind === 'global' ? linesOf(config, section, 'stats') : [],
  )
  const candidates = sockets
    .map((line) => readTokens(line).map(({ text }) => text))
    .filter((tokens) => tokens[1] === 'socket' && tokens[2] !== undefined)
  const best = candidates.find((tokens) => tokens[tokens.indexOf('level') + 1] === 'admin') ?? candidates[0]
  return best === undefined ? undefined : addressOf(best[2]!)
}

function addressOf(token: string): SocketAddress | undefined {
  const path = /^(?:unix@)?(\/.*)$/.exec(token)?.[1]
  if (path !== undefined) return { path }
  const found = /^(?:ipv4@|ipv6@)?(.*):(\d{1,5})$/.exec(token)
  return found === null
    ? undefined
    : {
        host: found[1] === '*' || found[1] === '' ? '127.0.0.1' : found[1]!.replace(/^\[(.*)\]$/, '$1'),
        port: Number(found[2]),
      }
}
