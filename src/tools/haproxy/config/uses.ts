import type { Config } from './config.ts'
import { linesOf, sectionsOf } from './sections.ts'
import { readTokens } from './tokens.ts'

/** Returns the parts of the configuration that name a backend, such as `frontend web (default_backend)`. */
export function usersOfBackend(config: Config, name: string): readonly string[] {
  return usersOf(
    config,
    (tokens, isItself) => {
      if (tokens[0] === 'default_backend' || tokens[0] === 'use_backend') return tokens[1] === name
      if (isItself) return false
      return tokens.some(
        (token, at) =>
          (tokens[at - 1] === 'table' && token === name) ||
          (tokens[at - 1] === 'track' && token.split('/')[0] === name),
      )
    },
    name,
  )
}

/** Returns the parts of the configuration that name a server of a backend. */
export function usersOfServer(config: Config, backend: string, server: string): readonly string[] {
  return usersOf(
    config,
    (tokens, isItself) => {
      if (tokens[0] === 'use-server') return isItself && tokens[1] === server
      return tokens.some(
        (token, at) =>
          tokens[at - 1] === 'track' && (token === `${backend}/${server}` || (isItself && token === server)),
      )
    },
    backend,
  )
}

/** Returns the parts that name a file by its path, by its name below `crt-base`, or by its directory. */
export function usersOfFile(config: Config, path: string): readonly string[] {
  const directory = path.slice(0, path.lastIndexOf('/'))
  const base = sectionsOf(config)
    .flatMap((section) => linesOf(config, section, 'crt-base'))
    .map((line) => readTokens(line)[1]?.text)
    .at(-1)
  const isIt = (token: string) =>
    token === path ||
    token.replace(/(?<=.)\/+$/, '') === directory ||
    (base !== undefined && `${base}/${token}` === path)
  const may = [directory, path.slice(directory.length + 1)]
  const mayName = (line: string) => /["'\\]/.test(line) || may.some((each) => line.includes(each))
  return usersOf(config, (tokens) => tokens[0] !== 'crt-base' && tokens.some(isIt), '', mayName)
}

/** Returns the certificate lists that binds name. */
export function certificateLists(config: Config): readonly string[] {
  const lines = sectionsOf(config).flatMap((section) => linesOf(config, section, 'bind'))
  const tokens = lines
    .filter((line) => line.includes('crt-list'))
    .flatMap((line) => readTokens(line).map(({ text }) => text))
  return [...new Set(tokens.filter((_word, at) => tokens[at - 1] === 'crt-list'))]
}

function usersOf(
  config: Config,
  names: (tokens: readonly string[], isItself: boolean) => boolean,
  itself: string,
  mayName: (line: string) => boolean = () => true,
): readonly string[] {
  return sectionsOf(config).flatMap(({ kind, name, start, end }) => {
    const lines = config.lines.slice(start + 1, end).filter(mayName)
    const isItself = name === itself && (kind === 'backend' || kind === 'listen')
    const found = lines
      .map((line) => readTokens(line).map(({ text }) => text))
      .find((tokens) => names(tokens, isItself))
    return found === undefined ? [] : [`${kind} ${name} (${found[0]})`]
  })
}
