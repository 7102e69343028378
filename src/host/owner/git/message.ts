import { printable } from '../failures.ts'

const bullets = '••••••••'

/** What stands in git's words, and what the caller is told in its place. */
export type Alias = readonly [inside: string, told: string]

/** Takes secrets out of text, as they are and as a URL writes them, and whoever stands before the host of an address; tells places by their aliases. */
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
    const told = aliases.reduce((current, [from, to]) => current.replaceAll(from, () => to), bare)
    return told.replaceAll(/(\w:\/\/)[^/@\s'"]+@/g, `$1${bullets}@`)
  }
}

/** git's words as the caller knows the places in them: from the home, also the files that it lists, each after a tab. */
export function fromHome(message: string, home: string, root = ''): string {
  const told = message.replaceAll(`${home}/`, '')
  return root === '' ? told : told.replaceAll(/^\t(?=\S)/gm, () => `\t${root}/`)
}

const telling = /^(?:(?:fatal|error|ERROR)[: ]|! \[|ssh: )|Permission denied \(|^Load key /
// What the server has to say, but for how far it is.
const ofServer =
  /^remote: +(?!(?:Enumerating|Counting|Compressing|Resolving|Total|Writing|Processing)\b|-+$|=+$)\S/

/** What git says went wrong: the words of the server, its own `fatal:` and `error:` lines with the files they list, else the last ones; free of control characters. */
export function complaint(message: string): string {
  const lines = withLists(message).filter((line) => line !== '' && !line.startsWith('hint:'))
  const told = [
    ...lines.filter((line) => ofServer.test(line)).slice(0, 3),
    ...lines.filter((line) => telling.test(line)).slice(0, 4),
  ]
  return (told.length > 0 ? told : lines.slice(-3))
    .map((line) => line.replace(/^(?:fatal|error): /, ''))
    .join('; ')
    .slice(0, 800)
}

/** The lines, where those that git indents by a tab, which are names of files, end the line before them. */
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
