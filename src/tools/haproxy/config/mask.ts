import { StatementInvalid } from '../problems.ts'
import { type Config, parseConfig, writeConfig } from './config.ts'
import { sectionsOf } from './sections.ts'
import { readTokens } from './tokens.ts'

const bullets = '••••••••'

/**
 * Hides the passwords of a configuration: those of `userlist`, `stats auth`, keys and environment variables,
 * and authorization headers.
 */
export function maskConfig(text: string): string {
  return writeConfig({ lines: parseConfig(text).lines.map(maskLine) })
}

/**
 * Restores the values that `maskConfig` hid: a masked line is matched to the present line with the same
 * masked form, in the same section first; if there are several, to the one at the same position among them. A
 * masked line that matches no present line is refused.
 */
export function unmaskConfig(text: string, present: string): string {
  const hidden = maskedLines(parseConfig(present))
  const taken = new Map<string, number>()
  const config = parseConfig(text)
  const sections = sectionNames(config)
  const lines = config.lines.map((line, at) => {
    const shown = line.trim()
    if (!shown.includes(bullets)) return line
    const here = `${sections[at]}\n${shown}`
    const known = hidden.get(here) ?? hidden.get(shown)
    if (known === undefined)
      throw StatementInvalid(
        `line ${at + 1}: the hidden password is not in the present configuration: enter it in full`,
      )
    const nth = taken.get(here) ?? 0
    taken.set(here, nth + 1)
    return line.replace(shown, () => known[Math.min(nth, known.length - 1)]!)
  })
  return writeConfig({ lines })
}

/**
 * Returns the lines that masking changes, unmasked: by their masked form, per section and over all sections.
 */
function maskedLines(config: Config): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const sections = sectionNames(config)
  config.lines.forEach((line, at) => {
    const shown = maskLine(line).trim()
    if (!shown.includes(bullets)) return
    for (const key of [`${sections[at]}\n${shown}`, shown])
      found.set(key, [...(found.get(key) ?? []), line.trim()])
  })
  return found
}

/** Returns the section name of each line. */
function sectionNames(config: Config): readonly string[] {
  const names = config.lines.map(() => '')
  for (const { kind, name, start, end } of sectionsOf(config)) names.fill(`${kind} ${name}`, start, end)
  return names
}

/**
 * In these statements a password is part of a word, as in `tcp-check send AUTH\ secret` and `setenv
 * DB_PASSWORD secret`.
 */
const wholeWord: readonly {
  readonly of: readonly string[]
  readonly at: (texts: readonly string[]) => number
}[] = [
  {
    of: ['tcp-check'],
    at: (texts) =>
      texts.findIndex(
        (text, at) =>
          /^send(?:-lf|-binary|-binary-lf)?$/.test(texts[at - 1] ?? '') && /auth|pass/i.test(text),
      ),
  },
  {
    of: ['option'],
    at: (texts) => (texts[1] === 'httpchk' ? texts.findIndex((text) => /authorization:/i.test(text)) : -1),
  },
  {
    of: ['setenv', 'presetenv'],
    at: (texts) => (/pass|secret|token|key|auth/i.test(texts[1] ?? '') ? 2 : -1),
  },
]

const valueAfter = new Set(['ca-sign-pass', 'password', 'insecure-password'])

function maskLine(line: string): string {
  if (!/pass|auth|setenv/i.test(line)) return line // no other kind of line contains a password
  const tokens = readTokens(line)
  const texts = tokens.map(({ text }) => text)
  const hide = (at: number, shown: string) =>
    tokens[at] === undefined
      ? line
      : line.slice(0, tokens[at].start) + shown + line.slice(tokens[at].start + tokens[at].raw.length)
  if (texts[0] === 'stats' && texts[1] === 'auth')
    return hide(2, `${texts[2]?.split(':')[0] ?? ''}:${bullets}`)
  const whole = wholeWord.find(({ of }) => of.includes(texts[0] ?? ''))?.at(texts) ?? -1
  if (whole > 0) return hide(whole, bullets)
  const header = texts.findIndex((text) => /^(?:proxy-)?authorization$/i.test(text))
  if (header > 0 && /^http-(?:request|check)$/.test(texts[0] ?? '')) return hide(header + 1, bullets)
  const at = texts.findIndex((text) => valueAfter.has(text))
  return at > 0 && (texts[0] === 'user' || texts[0] === 'bind') ? hide(at + 1, bullets) : line
}
