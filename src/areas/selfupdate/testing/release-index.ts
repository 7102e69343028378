import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { statementOf } from '../statement.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')

/** The key of the stand-in, as the setting `update_public_key` has it. */
export const releaseKey = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString(
  'base64',
)

/** Returns the entry of a release, whose archive cannot be had. */
export function releaseEntry(
  version: string,
  { architecture = process.arch as string, signs = version } = {},
) {
  const sha256 = createHash('sha256').update('an archive').digest('hex')
  const release = { version, architecture, sha256, notes: `Notes of ${version}` }
  const signature = sign(null, statementOf({ ...release, version: signs }), privateKey).toString('base64')
  return { ...release, url: `${version}.tar.gz`, signature }
}

/** An update server that answers each request for the index with a text. */
export interface ReleaseIndex {
  readonly url: string
  text: string
  close(): void
}

/** Starts an update server on loopback. */
export async function startReleaseIndex(): Promise<ReleaseIndex> {
  const server = createServer(({ url }, reply) => {
    if (url !== '/index.json') return void reply.writeHead(404).end()
    reply.end(standIn.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  const standIn: ReleaseIndex = {
    url: `http://127.0.0.1:${address.port}/index.json`,
    text: '[]',
    close: () => server.close(),
  }
  return standIn
}
