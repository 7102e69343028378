import type { Config } from './config.ts'
import { sectionsOf } from './sections.ts'
import { readWords } from './words.ts'

/** The parts of the configuration that name a backend, in words such as `frontend web (default_backend)`. */
export function usersOfBackend(config: Config, name: string): readonly string[] {
  return usersOf(
    config,
    (words, isItself) => {
      if (words[0] === 'default_backend' || words[0] === 'use_backend') return words[1] === name
      if (isItself) return false
      return words.some((word, at) => (words[at - 1] === 'table' && word === name) || (words[at - 1] === 'track' && word.split('/')[0] === name))
    },
    name,
  )
}

/** The parts that name a server of a backend. */
export function usersOfServer(config: Config, backend: string, server: string): readonly string[] {
  return usersOf(
    config,
    (words, isItself) => {
      if (words[0] === 'use-server') return isItself && words[1] === server
      return words.some((word, at) => words[at - 1] === 'track' && (word === `${backend}/${server}` || (isItself && word === server)))
    },
    backend,
  )
}

/** The parts that name a file. */
export function usersOfFile(config: Config, path: string): readonly string[] {
  return usersOf(config, (words) => words.includes(path), '')
}

function usersOf(config: Config, names: (words: readonly string[], isItself: boolean) => boolean, itself: string): readonly string[] {
  return sectionsOf(config).flatMap(({ kind, name, start, end }) => {
    const lines = config.lines.slice(start + 1, end)
    const isItself = name === itself && (kind === 'backend' || kind === 'listen')
    const found = lines.map((line) => readWords(line).map(({ text }) => text)).find((words) => names(words, isItself))
    return found === undefined ? [] : [`${kind} ${name} (${found[0]})`]
  })
}
