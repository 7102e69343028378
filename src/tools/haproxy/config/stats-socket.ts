import type { SocketPlace } from '../socket.ts'
import type { Config } from './config.ts'
import { linesOf, sectionsOf } from './sections.ts'
import { readTokens } from './tokens.ts'

/** Where the configuration lets the runtime API be asked with the rights to change something; undefined where it does not. */
export function statsSocketOf(config: Config): SocketPlace | undefined {
  const sockets = sectionsOf(config).flatMap((section) =>
    section.kind === 'global' ? linesOf(config, section, 'stats') : [],
  )
  const places = sockets
    .map((line) => readTokens(line).map(({ text }) => text))
    .filter((tokens) => tokens[1] === 'socket' && tokens[2] !== undefined)
  const best = places.find((tokens) => tokens[tokens.indexOf('level') + 1] === 'admin') ?? places[0]
  return best === undefined ? undefined : placeOf(best[2]!)
}

function placeOf(token: string): SocketPlace | undefined {
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
