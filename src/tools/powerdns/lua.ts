/** How an answer is chosen for each query. */
export type Steering =
  | { readonly kind: 'weighted'; readonly targets: readonly Target[] }
  | { readonly kind: 'failover'; readonly primary: string; readonly backup: string; readonly check: Check }
  | { readonly kind: 'geo'; readonly countries: Readonly<Record<string, string>>; readonly fallback: string }

interface Target {
  readonly value: string
  readonly weight: number
}

/** A TCP port that must accept connections, or a URL that must answer with 200 and may have to contain a text. */
export type Check = { readonly port: number } | { readonly url: string; readonly text?: string }

/**
 * Renders the content of a LUA record that answers queries of one type
 * (https://doc.powerdns.com/authoritative/lua-records/).
 */
export const renderLuaRecord = (type: 'A' | 'AAAA', steering: Steering): string =>
  `${type} "${codeOf(steering)}"`

function codeOf(steering: Steering): string {
  if (steering.kind === 'weighted') {
    const targets = steering.targets.map(({ value, weight }) => `{${whole(weight)},${quoted(value)}}`)
    return `pickwrandom({${targets.join(',')}})`
  }
  if (steering.kind === 'geo') return geoCode(steering.countries, steering.fallback)
  const { primary, backup, check } = steering
  if ('url' in check) {
    const options = check.text === undefined ? '' : `,{stringmatch=${quoted(check.text)}}`
    return `ifurlup(${quoted(check.url)},{{${quoted(primary)}},{${quoted(backup)}}}${options})`
  }
  // 4.7 has no selector for the first: both are returned while both are up, and while none is
  const both = `{${quoted(primary)},${quoted(backup)}}`
  const all = "{selector='all',backupSelector='all'}"
  return `;local up=ifportup(${whole(check.port)},${both},${all}) for _,a in ipairs(up) do if a==${quoted(primary)} then return a end end return ${quoted(backup)}`
}

function geoCode(countries: Readonly<Record<string, string>>, fallback: string): string {
  const byValue = new Map<string, string[]>()
  for (const [country, value] of Object.entries(countries).toSorted())
    byValue.set(value, [...(byValue.get(value) ?? []), country])
  const tests = [...byValue].map(
    ([value, codes]) => `if country({${codes.map(quoted).join(',')}}) then return ${quoted(value)} end `,
  )
  return `;${tests.join('')}return ${quoted(fallback)}`
}

function whole(number: number): string {
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`${number} is not a whole number`)
  return String(number)
}

/**
 * A Lua string inside the quoted text of a record: whatever could end either of them becomes the decimal escape of
 * Lua, with the backslash that the zone's text needs before a backslash.
 */
const quoted = (text: string): string =>
  `'${[...Buffer.from(text)].map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : `\\\\${String(byte).padStart(3, '0')}`)).join('')}'`

const isPlain = (byte: number): boolean => /[A-Za-z0-9 .,:/?&=%+~_-]/.test(String.fromCharCode(byte))
