import { StatementInvalid } from '../problems.ts'
import { type Config, parseConfig, writeConfig } from './config.ts'
import { sectionsOf } from './sections.ts'
import { readTokens } from './tokens.ts'

const bullets = '••••••••'

/** The configuration with its passwords hidden: those of `userlist`, `stats auth`, keys and the environment, and what is sent as authorization. */
export function maskConfig(text: string): string {
  return writeConfig({ lines: parseConfig(text).lines.map(maskLine) })
}

/**
 * Puts back what `maskConfig` hid: a masked line is the one of the present text that was masked so, in the same section first, and of
 * several the one in the same place among them. A masked line that nothing present was masked to is refused.
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
        `line ${at + 1}: a password is hidden that the present configuration does not have: write it out`,
      )
    const nth = taken.get(here) ?? 0
    taken.set(here, nth + 1)
    return line.replace(shown, () => known[Math.min(nth, known.length - 1)]!)
  })
  return writeConfig({ lines })
}

/** The lines that are masked, as they are: by what they are masked to, in their section and in any. */
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

/** The section that each line stands in. */
function sectionNames(config: Config): readonly string[] {
  const names = config.lines.map(() => '')
  for (const { kind, name, start, end } of sectionsOf(config)) names.fill(`${kind} ${name}`, start, end)
  return names
}

/** In these a password is a part of a word, as in `tcp-check send AUTH\ secret` and `setenv DB_PASSWORD secret`. */
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
  if (!/pass|auth|setenv/i.test(line)) return line // no line of another kind holds one
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
