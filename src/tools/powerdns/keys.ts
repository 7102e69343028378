import { generateKeyPairSync } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { parserOf, type PowerdnsApi, zonePath } from './api.ts'

const ApiKey = Type.Object({
  id: Type.Integer(),
  keytype: Type.String(),
  algorithm: Type.String(),
  flags: Type.Integer(),
  active: Type.Boolean(),
  published: Type.Boolean(),
  dnskey: Type.String(),
  ds: Type.Optional(Type.Array(Type.String())),
  privatekey: Type.Optional(Type.String()),
})
const parseKey = parserOf(ApiKey)
const parseKeys = parserOf(Type.Array(ApiKey))

/** A key that signs a zone, without its private part. */
export type ZoneKey = Omit<Static<typeof ApiKey>, 'privatekey' | 'ds'> & { readonly ds: readonly string[] }

/** A key as it is created: with its private part. */
export interface SigningKey {
  readonly keytype: string
  readonly active: boolean
  readonly published: boolean
  /** In the form of BIND's private key files. */
  readonly privatekey: string
}

interface KeysState {
  readonly keys: readonly SigningKey[]
  /** Whether PowerDNS orders the names for NSEC after each change. */
  readonly rectifies: boolean
}

interface KeysArgs {
  readonly zone: string
  /** All keys that the zone is to have; none if it is not to be signed. */
  readonly keys: readonly SigningKey[]
}

/** Lists the keys of a zone; the SHA-1 digests of the DS are left out (RFC 8624). */
export async function readKeys(api: PowerdnsApi, zone: string): Promise<readonly ZoneKey[]> {
  const keys = parseKeys((await api.read(`${zonePath(zone)}/cryptokeys`)) ?? [])
  return keys.map(({ privatekey: _never, ds = [], ...key }) => ({
    ...key,
    ds: ds.filter((text) => text.split(' ')[2] !== '1'),
  }))
}

/** A signing key with its public part. */
interface PublishedKey {
  readonly key: SigningKey
  /** Data of its DNSKEY record, which identifies it. */
  readonly dnskey: string
}

/** Draws a combined signing key of algorithm 13, ECDSA P-256 with SHA-256 (RFC 6605). */
export function newSigningKey(): PublishedKey {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { d = '', x = '', y = '' } = pair.privateKey.export({ format: 'jwk' })
  const secret = Buffer.from(d, 'base64url').toString('base64')
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const privatekey = `Private-key-format: v1.2\nAlgorithm: 13 (ECDSAP256SHA256)\nPrivateKey: ${secret}\n`
  return {
    key: { keytype: 'csk', active: true, published: true, privatekey },
    dnskey: `257 3 13 ${point.toString('base64')}`,
  }
}

/** Reads the keys of a zone with their private parts. */
export async function readSigningKeys(api: PowerdnsApi, zone: string): Promise<readonly PublishedKey[]> {
  const found: PublishedKey[] = []
  for (const { id } of await readKeys(api, zone)) {
    const read = parseKey(await api.read(`${zonePath(zone)}/cryptokeys/${id}`))
    const { keytype, active, published, privatekey = '', dnskey } = read
    found.push({ key: { keytype, active, published, privatekey }, dnskey })
  }
  return found
}

/** The step that gives a zone the keys that sign it, or removes them; it returns the DS of the keys. */
export function setKeys(api: PowerdnsApi): StepKind<KeysArgs, Was<KeysState>, { readonly ds: string[] }> {
  return stateStep<KeysArgs, KeysState, { readonly ds: string[] }>({
    name: 'powerdns.set-keys',
    plan: ({ zone, keys }) => ({
      title: keys.length === 0 ? `Remove the keys of the zone ${zone}` : titleOf(zone, keys.length),
    }),
    changed: ({ zone }, was, wanted) => ({
      objects: [{ name: `keys of ${zone}`, before: shown(was), after: shown(wanted) }],
    }),
    read: ({ zone }) => readState(api, zone),
    wanted: ({ keys }) => ({ keys: sortedKeys(keys), rectifies: keys.length > 0 }),
    write: ({ zone }, state) => (state === undefined ? Promise.resolve() : writeState(api, zone, state)),
    result: async ({ zone }) => ({ ds: (await readKeys(api, zone)).flatMap(({ ds }) => ds) }),
  })
}

const titleOf = (zone: string, count: number): string =>
  `Sign the zone ${zone}${count === 1 ? '' : ` with ${count} keys`}`

const shown = (state: KeysState | undefined): string | null =>
  state === undefined || state.keys.length === 0 ? null : state.keys.map(({ keytype }) => keytype).join(', ')

const sortedKeys = (keys: readonly SigningKey[]): readonly SigningKey[] =>
  keys.toSorted((one, other) => (one.privatekey < other.privatekey ? -1 : 1))

const parseRectifies = parserOf(Type.Object({ api_rectify: Type.Boolean() }))

async function readState(api: PowerdnsApi, zone: string): Promise<KeysState | undefined> {
  const found = await api.read(`${zonePath(zone)}?rrsets=false`)
  if (found === undefined) return undefined
  const keys = await readSigningKeys(api, zone)
  return { keys: sortedKeys(keys.map(({ key }) => key)), rectifies: parseRectifies(found).api_rectify }
}

async function writeState(api: PowerdnsApi, zone: string, { keys, rectifies }: KeysState): Promise<void> {
  const path = zonePath(zone)
  const kept = new Set<string>()
  for (const { id } of await readKeys(api, zone)) {
    const { privatekey = '' } = parseKey(await api.read(`${path}/cryptokeys/${id}`))
    if (keys.some((key) => key.privatekey === privatekey)) kept.add(privatekey)
    else await api.write({ method: 'DELETE', path: `${path}/cryptokeys/${id}` })
  }
  for (const key of keys)
    if (!kept.has(key.privatekey))
      await api.write({ method: 'POST', path: `${path}/cryptokeys`, body: { ...key } })
  await api.write({ method: 'PUT', path, body: { api_rectify: rectifies } })
  if (keys.length > 0) await api.write({ method: 'PUT', path: `${path}/rectify` })
  await raiseSerial(api, zone)
}

/**
 * Has PowerDNS raise the serial, as it does with each change of records. Keys are none: without it, secondaries would keep
 * the former ones until the next change.
 */
async function raiseSerial(api: PowerdnsApi, zone: string): Promise<void> {
  const absent = { name: `_serial-of-keys.${zone}.`, type: 'TXT', changetype: 'DELETE' }
  await api.write({ method: 'PATCH', path: zonePath(zone), body: { rrsets: [absent] } })
}
