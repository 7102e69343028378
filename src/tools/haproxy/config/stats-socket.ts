import type { SocketPlace } from '../socket.ts'
import type { Config } from './config.ts'
import { linesOf, sectionsOf } from './sections.ts'
import { readWords } from './words.ts'

/** Where the configuration lets the runtime API be asked with the rights to change something; undefined where it does not. */
export function statsSocketOf(config: Config): SocketPlace | undefined {
  const sockets = sectionsOf(config).flatMap((section) =>
    section.kind === 'global' ? linesOf(config, section, 'stats') : [],
  )
  const places = sockets
    .map((line) => readWords(line).map(({ text }) => text))
    .filter((words) => words[1] === 'socket' && words[2] !== undefined)
  const best = places.find((words) => words[words.indexOf('level') + 1] === 'admin') ?? places[0]
  return best === undefined ? undefined : placeOf(best[2]!)
}

function placeOf(word: string): SocketPlace | undefined {
  const path = /^(?:unix@)?(\/.*)$/.exec(word)?.[1]
  if (path !== undefined) return { path }
  const found = /^(?:ipv4@|ipv6@)?(.*):(\d{1,5})$/.exec(word)
  return found === null
    ? undefined
    : {
        host: found[1] === '*' || found[1] === '' ? '127.0.0.1' : found[1]!.replace(/^\[(.*)\]$/, '$1'),
        port: Number(found[2]),
      }
}
