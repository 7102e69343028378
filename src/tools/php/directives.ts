import { readIni } from './ini.ts'

/** Reads the directives from the output of `php-fpm -i`: `name => value of a script => value of the master`. */
export function parseReport(output: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', value = ''] of output.matchAll(/^([a-zA-Z_][\w.-]*) => .* => (.*)$/gm))
    if (name !== 'Directive') found.set(name, value === 'no value' ? '' : value) // heads of tables
  return found
}

const truth: ReadonlyMap<string, string> = new Map([
  ...['on', 'yes', 'true', '1'].map((word) => [word, 'On'] as const),
  ...['off', 'no', 'false', 'none', '0', ''].map((word) => [word, 'Off'] as const),
])

/** What the values of a directive must be like, told by the one that is built into PHP. */
interface DirectiveType {
  readonly expects: string
  readonly isValid: (value: string) => boolean
}

const boolean: DirectiveType = {
  expects: 'On or Off',
  isValid: (value) => truth.has(value.toLowerCase()) && value !== '',
}
const size: DirectiveType = {
  expects: 'a number of bytes such as 256M, or -1',
  isValid: (value) => /^(?:-1|\d{1,15}[KMGkmg]?)$/.test(value),
}
const number: DirectiveType = {
  expects: 'a number',
  isValid: (value) => /^-?\d{1,15}(?:\.\d{1,6})?[KMGkmg]?$/.test(value),
}
const numberOrBoolean: DirectiveType = {
  expects: 'a number, On or Off',
  isValid: (value) => number.isValid(value) || boolean.isValid(value),
}
const errorLevels: DirectiveType = {
  expects: 'a number or levels such as E_ALL & ~E_DEPRECATED',
  isValid: (value) => /^-?\d{1,10}$|^[~( ]*E_[A-Z_]+(?:[ ()]*[&|^~][ ()&|^~]*E_[A-Z_]+)*[ )]*$/.test(value),
}
const text: DirectiveType = { expects: 'text', isValid: () => true }

/** PHP before 8.0 finds out only when a script asks for the time. */
const zone: DirectiveType = {
  expects: 'a time zone such as Europe/Berlin',
  isValid: (value) => {
    if (!/^[A-Z]/.test(value)) return false
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
    } catch {
      return false
    }
  },
}

const known: Readonly<Record<string, DirectiveType>> = {
  error_reporting: errorLevels,
  'date.timezone': zone,
}

/** Returns the type of a directive from the value that is built into PHP. */
export function typeOf(name: string, builtIn: string): DirectiveType {
  if (known[name] !== undefined) return known[name]
  if (/^(?:On|Off)$/.test(builtIn)) return boolean
  if (/^[01]$/.test(builtIn)) return numberOrBoolean
  if (/^\d+[KMG]$/.test(builtIn)) return size
  return /^-?\d+(?:\.\d+)?$/.test(builtIn) ? number : text
}

/** Writes a value for php.ini: words and numbers as they are, everything else in quotes. */
export function writtenValue(name: string, value: string): string {
  if (/["\\$;{}\p{Cc}]/u.test(value)) throw new Error(`php.ini cannot represent this value of ${name}`)
  return known[name] === errorLevels || /^[\w.:/+@-]+$/.test(value) ? value : `"${value}"`
}

/** Returns a value without its quotes. */
export const unquoted = (written: string): string =>
  /^(["']).*\1$/s.test(written) ? written.slice(1, -1) : written

/** True if PHP reports the value that was meant, which it may write in another form. */
export function isReported(name: string, value: string, reported: string): boolean {
  if (known[name] === errorLevels && !/^-?\d+$/.test(value)) return /^-?\d+$/.test(reported)
  if (value === reported) return true
  const meant = truth.get(value.toLowerCase())
  return meant !== undefined && meant === truth.get(reported.toLowerCase())
}

/** A file that PHP reads, in the order in which it reads them. */
export interface IniFile {
  readonly path: string
  readonly text: string
}

/** Returns the file from which PHP takes a directive, with the value as written there. */
export function sourcesOf(
  files: readonly IniFile[],
): ReadonlyMap<string, { readonly path: string; readonly written: string }> {
  const found = new Map<string, { path: string; written: string }>()
  for (const { path, text: content } of files)
    for (const { name, written, isScoped } of readIni(content))
      if (!isScoped) found.set(name, { path, written })
  return found
}
