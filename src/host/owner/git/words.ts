import { printable } from '../failures.ts'

const bullets = '••••••••'

/** Takes secrets out of text, as they are and as a URL writes them, and whoever stands before the host of an address. */
export function scrubber(secrets: readonly string[]): (text: string) => string {
  const known = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), ...secret.split('\n')]).filter((each) => each.trim().length >= 4)
  const unique = [...new Set(known)].sort((a, b) => b.length - a.length)
  return (text) => {
    const bare = unique.reduce((current, secret) => current.replaceAll(secret, bullets), text)
    return bare.replaceAll(/(\w:\/\/)[^/@\s'"]+@/g, `$1${bullets}@`)
  }
}

/** What git says went wrong: its `fatal:` and `error:` lines, else the last ones; free of control characters. */
export function complaint(words: string): string {
  const lines = words
    .split(/[\r\n]+/)
    .map((line) => printable(line))
    .filter((line) => line !== '' && !line.startsWith('hint:'))
  const told = lines.filter((line) => /^(?:(?:fatal|error|ERROR|remote: (?:fatal|error))[: ]|! \[|ssh: )|Permission denied \(/.test(line))
  const chosen = told.length > 0 ? told.slice(0, 4) : lines.slice(-3)
  return chosen
    .map((line) => line.replace(/^(?:fatal|error): /, ''))
    .join('; ')
    .slice(0, 600)
}
