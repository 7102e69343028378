import type { Config } from './config.ts'
import { linesOf, sectionsOf } from './sections.ts'
import { readWords } from './words.ts'

/** The parts of the configuration that name a backend, in words such as `frontend web (default_backend)`. */
export function usersOfBackend(config: Config, name: string): readonly string[] {
  return usersOf(
    config,
    (words, isItself) => {
      if (words[0] === 'default_backend' || words[0] === 'use_backend') return words[1] === name
      if (isItself) return false
      return words.some(
        (word, at) =>
          (words[at - 1] === 'table' && word === name) ||
          (words[at - 1] === 'track' && word.split('/')[0] === name),
      )
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
      return words.some(
        (word, at) =>
          words[at - 1] === 'track' && (word === `${backend}/${server}` || (isItself && word === server)),
      )
    },
    backend,
  )
}

/** The parts that name a file: by its path, by its name below `crt-base`, or by the directory it lies in. */
export function usersOfFile(config: Config, path: string): readonly string[] {
  const directory = path.slice(0, path.lastIndexOf('/'))
  const base = sectionsOf(config)
    .flatMap((section) => linesOf(config, section, 'crt-base'))
    .map((line) => readWords(line)[1]?.text)
    .at(-1)
  const isIt = (word: string) =>
    word === path ||
    word.replace(/(?<=.)\/+$/, '') === directory ||
    (base !== undefined && `${base}/${word}` === path)
  const may = [directory, path.slice(directory.length + 1)]
  const mayName = (line: string) => /["'\\]/.test(line) || may.some((each) => line.includes(each))
  return usersOf(config, (words) => words[0] !== 'crt-base' && words.some(isIt), '', mayName)
}

/** The lists of certificates that binds name. */
export function certificateLists(config: Config): readonly string[] {
  const lines = sectionsOf(config).flatMap((section) => linesOf(config, section, 'bind'))
  const words = lines
    .filter((line) => line.includes('crt-list'))
    .flatMap((line) => readWords(line).map(({ text }) => text))
  return [...new Set(words.filter((_word, at) => words[at - 1] === 'crt-list'))]
}

function usersOf(
  config: Config,
  names: (words: readonly string[], isItself: boolean) => boolean,
  itself: string,
  mayName: (line: string) => boolean = () => true,
): readonly string[] {
  return sectionsOf(config).flatMap(({ kind, name, start, end }) => {
    const lines = config.lines.slice(start + 1, end).filter(mayName)
    const isItself = name === itself && (kind === 'backend' || kind === 'listen')
    const found = lines
      .map((line) => readWords(line).map(({ text }) => text))
      .find((words) => names(words, isItself))
    return found === undefined ? [] : [`${kind} ${name} (${found[0]})`]
  })
}
