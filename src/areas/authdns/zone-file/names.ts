import { ZoneFileInvalid } from '../problems.ts'

/** Returns a name of a zone file as an absolute one with a final dot; without a dot it is relative to the origin. */
export function absolute(text: string, origin: string, line: number): string {
  if (text === '@') return origin
  const name = text.replaceAll(/\\(\d{3}|.)/gs, (_escape, one: string) => plain(one, line))
  if (name.endsWith('.')) return name
  return origin === '.' ? `${name}.` : `${name}.${origin}`
}

/** An escape of an ordinary character is that character; PowerDNS takes no others in names. */
function plain(escaped: string, line: number): string {
  const one = /^\d{3}$/.test(escaped) ? String.fromCharCode(Number(escaped)) : escaped
  if (!/^[A-Za-z0-9_*/-]$/.test(one))
    throw ZoneFileInvalid(`bind_data: line ${line}: PowerDNS takes no name with the escape \\${escaped}`)
  return one
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
const longestTtl = 2_147_483_647
/** In characters, of a time such as `1w2d3h4m5s`. */
const longestTime = 60

/** Returns a time to live in seconds, from a number or a form such as `1h30m`; undefined if the text is none. */
export function secondsIn(text: string): number | undefined {
  if (text.length > longestTime) return undefined
  if (!/^(?:\d{1,10}|(?:\d{1,10}[smhdw])+)$/i.test(text)) return undefined
  if (/^\d+$/.test(text)) return limited(Number(text))
  const parts = [...text.toLowerCase().matchAll(/(\d+)([smhdw])/g)]
  return limited(parts.reduce((sum, [, count, unit = 's']) => sum + Number(count) * (units[unit] ?? 1), 0))
}

const limited = (seconds: number): number | undefined => (seconds <= longestTtl ? seconds : undefined)
