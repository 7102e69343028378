import { printable } from '../failures.ts'

const bullets = '••••••••'

/** A piece of git's output, and its replacement for the caller. */
export type Alias = readonly [inside: string, shown: string]

/** Returns a function that removes secrets from text, plain and URL-encoded, and user information from URLs, and replaces places by their aliases. */
export function scrubber(
  secrets: readonly string[],
  aliases: readonly Alias[] = [],
): (text: string) => string {
  const known = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret), ...secret.split('\n')])
    .filter((each) => each.trim().length >= 4)
  const unique = [...new Set(known)].sort((a, b) => b.length - a.length)
  return (text) => {
    const bare = unique.reduce((current, secret) => current.replaceAll(secret, bullets), text)
    const replaced = aliases.reduce((current, [from, to]) => current.replaceAll(from, () => to), bare)
    return replaced.replaceAll(/(\w:\/\/)[^/@\s'"]+@/g, `$1${bullets}@`)
  }
}

/** Rewrites git's message with paths from the home, also those of the files that it lists, each after a tab. */
export function fromHome(message: string, home: string, root = ''): string {
  const relative = message.replaceAll(`${home}/`, '')
  return root === '' ? relative : relative.replaceAll(/^\t(?=\S)/gm, () => `\t${root}/`)
}

const errorLine = /^(?:(?:fatal|error|ERROR)[: ]|! \[|ssh: )|Permission denied \(|^Load key /
// Messages of the server, except its progress.
const serverLine =
  /^remote: +(?!(?:Enumerating|Counting|Compressing|Resolving|Total|Writing|Processing)\b|-+$|=+$)\S/

/** Extracts the error from git's output: the messages of the server, its own `fatal:` and `error:` lines with the files they list, otherwise the last lines; without control characters. */
export function complaint(message: string): string {
  const lines = withLists(message).filter((line) => line !== '' && !line.startsWith('hint:'))
  const relevant = [
    ...lines.filter((line) => serverLine.test(line)).slice(0, 3),
    ...lines.filter((line) => errorLine.test(line)).slice(0, 4),
  ]
  return (relevant.length > 0 ? relevant : lines.slice(-3))
    .map((line) => line.replace(/^(?:fatal|error): /, ''))
    .join('; ')
    .slice(0, 800)
}

/** The lines, with those that git indents by a tab, which are file names, appended to the line before them. */
function withLists(message: string): readonly string[] {
  const lines: string[] = []
  let names = 0
  for (const raw of message.split(/[\r\n]+/)) {
    const line = printable(raw)
    names = raw.startsWith('\t') && lines.length > 0 ? names + 1 : 0
    if (names === 0) lines.push(line)
    else if (names <= maxNames)
      lines.push(`${lines.pop() ?? ''}${names === 1 ? ' ' : ', '}${line}${names === maxNames ? ', …' : ''}`)
  }
  return lines
}

const maxNames = 10
