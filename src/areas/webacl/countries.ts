import { isAbsolute } from 'node:path'
import type { Files } from '../../host/files.ts'
import { Problem } from '../../core/problem.ts'
import { type AccessRules, type CountryFile, readCountryFile } from '../../tools/nginx/index.ts'
import type { Countries } from './model.ts'
import type { Resolved } from './resolved.ts'
import { NotAppliable } from './problems.ts'

const staleMs = 90 * 86_400_000

type Ranges = NonNullable<AccessRules['countries']>

/** The file of countries that the configuration names. */
export interface CountrySource {
  /** Whether conditions on countries can be evaluated, and how old their file is. */
  state(now: Date): Promise<Countries>
  /** Returns the addresses of countries; throws NotAppliable without a file. */
  rangesOf(codes: ReadonlySet<string>): Promise<Ranges>
  /** Returns the country of an address in hexadecimal digits; null without a file. */
  countryOf(hex: string): Promise<string | null>
}

interface Opened {
  readonly version: string
  readonly file: CountryFile | undefined
  readonly reason: string | null
  /** The addresses that were asked for, by country. */
  readonly ranges: Map<string, Ranges extends ReadonlyMap<string, infer Each> ? Each : never>
}

/** Opens the file at a path; an empty one is none. It is read again when it was replaced. */
export function openCountries(
  files: Pick<Files, 'changedAt' | 'facts' | 'readBytes'>,
  path: string,
): CountrySource {
  let opened: Promise<Opened> | undefined
  const current = async (): Promise<Opened> => {
    const version = await versionOf(files, path)
    const known = await opened
    if (known?.version === version) return known
    opened = openFile(files, path, version)
    return opened
  }
  return {
    state: async (now) => {
      const { file, reason } = await current()
      const known = { file: path === '' ? null : path, reason, available: file !== undefined }
      if (file === undefined) return { ...known, built_at: null, stale: false }
      const stale = now.getTime() - file.builtAt.getTime() > staleMs
      return { ...known, built_at: file.builtAt.toISOString(), stale }
    },
    rangesOf: async (codes) => {
      if (codes.size === 0) return new Map()
      const { file, reason, ranges } = await current()
      if (file === undefined) throw NotAppliable(`A condition compares the country: ${reason}`)
      const lacking = new Set([...codes].filter((code) => !ranges.has(code)))
      if (lacking.size > 0)
        for (const [code, found] of await readable(file.rangesOf(lacking))) ranges.set(code, found)
      return new Map([...codes].map((code) => [code, ranges.get(code)!]))
    },
    countryOf: async (hex) => {
      const { file } = await current()
      return readable((async () => file?.countryOf(hex) ?? null)())
    },
  }
}

/** Damage inside a file shows only when it is read there. */
const readable = <Found>(found: Promise<Found>): Promise<Found> =>
  found.catch((error: unknown) => {
    if (error instanceof RangeError) throw NotAppliable(`geoip_file: the file is damaged: ${error.message}`)
    throw error
  })

async function versionOf(files: Pick<Files, 'changedAt' | 'facts'>, path: string): Promise<string> {
  if (path === '' || !isAbsolute(path)) return ''
  const [changed, facts] = await Promise.all([files.changedAt(path), files.facts(path)])
  return `${changed?.getTime()} ${facts?.sizeBytes}`
}

async function openFile(files: Pick<Files, 'readBytes'>, path: string, version: string): Promise<Opened> {
  const none = (reason: string) => ({ version, file: undefined, reason, ranges: new Map() })
  if (path === '') return none('set geoip_file to an MMDB file with countries in the settings')
  if (!isAbsolute(path)) return none('geoip_file must be an absolute path')
  try {
    const content = await files.readBytes(path)
    const file = content === undefined ? undefined : readCountryFile(Buffer.from(content, 'latin1'))
    if (file === undefined) return none(`geoip_file: ${path} is not a readable MMDB file with countries`)
    return { version, file, reason: null, ranges: new Map() }
  } catch (error) {
    if (error instanceof Problem) return none(`geoip_file: ${error.message}`)
    if (error instanceof Error && 'code' in error)
      return none(`geoip_file: ${path} cannot be read: ${error.message}`)
    throw error
  }
}

/** Returns the countries that conditions name; `*` is any country. */
export function countriesIn({ rulesets }: Pick<Resolved, 'rulesets'>): ReadonlySet<string> {
  const conditions = rulesets.flatMap(({ rules }) => rules.flatMap((rule) => rule.conditions))
  return new Set(
    conditions.flatMap(({ field, operator, value }) =>
      field !== 'country' ? [] : operator === 'exists' ? ['*'] : [value ?? ''],
    ),
  )
}
