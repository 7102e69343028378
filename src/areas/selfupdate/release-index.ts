import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { Problem } from '../../core/problem.ts'
import { Optional, Text } from '../../core/schemas.ts'
import type { Host } from '../../host/index.ts'
import { UpdateFailed } from './problems.ts'
import { isSignedBy, type Release } from './statement.ts'
import { compareVersions, versionPattern } from './versions.ts'

const Entry = Type.Object({
  version: Type.String({ pattern: versionPattern, maxLength: 50 }),
  url: Text(2000),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  signature: Type.String({ maxLength: 100 }),
  architecture: Optional(Text(50)),
  notes: Optional(Text(20_000)),
})
const Index = Type.Array(Entry, { maxItems: 1000 })

/** A release that the update server offers. */
export interface Offered extends Release {
  readonly url: string
  readonly signature: string
}

/** The update server, and the key of those who make releases. */
export interface UpdateServer {
  readonly fetch: Host['fetch']
  readonly url: string
  readonly publicKey: string
  readonly architecture: string
}

/** The address is a setting of the administrator, so it may be internal. */
export const asker = { isAdmin: true }
const mostBytes = 4 * 1024 * 1024
const limitMs = 20_000

/** Returns the newest release that is newer than `version`, for this architecture and with a valid signature; throws UpdateFailed. */
export async function newestRelease(server: UpdateServer, version: string): Promise<Offered> {
  const { publicKey, architecture } = server
  if (server.url === '') throw UpdateFailed('This panel has no update server: set update_url')
  if (publicKey === '')
    throw UpdateFailed('This panel has no key to verify releases with: set update_public_key')
  const offered = (await readIndex(server)).map((entry) => offeredAt(server.url, entry))
  const newer = offered.filter((each) => compareVersions(each.version, version) > 0)
  if (newer.length === 0) throw UpdateFailed(`The update server offers no version newer than ${version}`)
  const fitting = newer.filter((each) => each.architecture === architecture)
  const newest = fitting.toSorted((a, b) => compareVersions(b.version, a.version))[0]
  if (newest === undefined)
    throw UpdateFailed(`The update server offers no newer version for the architecture ${architecture}`)
  if (!isSignedBy(publicKey, newest, newest.signature))
    throw UpdateFailed(
      `The signature of version ${newest.version} is wrong: check update_public_key and the update server`,
    )
  return newest
}

/** A relative address is one beside the index. */
const offeredAt = (
  index: string,
  { architecture = 'x64', notes = '', url, ...rest }: Static<typeof Entry>,
): Offered => ({
  ...rest,
  architecture,
  notes,
  url: URL.parse(url, index)?.href ?? url,
})

async function readIndex({ fetch, url }: UpdateServer): Promise<Static<typeof Index>> {
  const signal = AbortSignal.timeout(limitMs)
  try {
    const { stream } = await fetch.open({ url, asker, maxBytes: mostBytes, signal })
    const index: unknown = JSON.parse(Buffer.concat(await stream.toArray()).toString())
    if (Check(Index, index)) return index
  } catch (cause) {
    if (cause instanceof SyntaxError)
      throw UpdateFailed('The index of the update server is not JSON', { cause })
    const reason =
      cause instanceof Problem ? cause.message.replace(/^url: /, '') : 'it did not answer in time'
    throw UpdateFailed(`The update server could not be read: ${reason}`, { cause })
  }
  throw UpdateFailed('The index of the update server must be a list of { version, url, sha256, signature }')
}
