import { parseConfig, writeConfig } from './config.ts'
import { readWords } from './words.ts'

const bullets = '••••••••'

/** The configuration with the passwords of `userlist` and `stats auth` hidden. */
export function maskConfig(text: string): string {
  return writeConfig({ lines: parseConfig(text).lines.map(maskLine) })
}

/** Puts back what `maskConfig` hid: a masked line that equals one of the present text is that one. */
export function unmaskConfig(text: string, present: string): string {
  const hidden = new Map(parseConfig(present).lines.map((line) => [maskLine(line).trim(), line.trim()]))
  return writeConfig({
    lines: parseConfig(text).lines.map((line) => {
      const shown = line.trim()
      const original = shown.includes(bullets) ? hidden.get(shown) : undefined
      return original === undefined ? line : line.replace(shown, () => original)
    }),
  })
}

function maskLine(line: string): string {
  const words = readWords(line)
  const texts = words.map(({ text }) => text)
  const hide = (at: number, shown: string) =>
    words[at] === undefined ? line : line.slice(0, words[at].start) + shown + line.slice(words[at].start + words[at].raw.length)
  if (texts[0] === 'stats' && texts[1] === 'auth') return hide(2, `${texts[2]?.split(':')[0] ?? ''}:${bullets}`)
  const at = texts.findIndex((text) => text === 'password' || text === 'insecure-password')
  return texts[0] === 'user' && at > 0 ? hide(at + 1, bullets) : line
}
