import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import type { LicenceDocument } from '../../src/areas/licence/document.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')

/** The public key of the stand-in, as the setting `license_public_key` has it. */
export const licencePublicKey = Buffer.from(
  publicKey.export({ format: 'jwk' }).x ?? '',
  'base64url',
).toString('base64')

/** A licence for this host that grants everything but what the draft changes. */
export const licenceFor = (draft: Partial<LicenceDocument> = {}): LicenceDocument => ({
  key: 'KEY-1234-5678-9012',
  tier: 'gold',
  status: 'active',
  expires_at: '2099-01-01T00:00:00.000Z',
  max_websites: null,
  blocked: false,
  host: os.hostname(),
  features: { clusters: true, mailbox_backup: false },
  ...draft,
})

/** Signs a payload as a licence server does. */
export function signed(payload: string | LicenceDocument, by: KeyObject = privateKey): string {
  const license = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return JSON.stringify({ license, signature: sign(null, Buffer.from(license), by).toString('base64') })
}

/** A licence server that answers each key as it is told to. */
export interface LicenceServer {
  readonly url: string
  /** What it was asked, the oldest first. */
  readonly asked: unknown[]
  /** How the next requests are answered. */
  answer: (reply: ServerResponse) => void
  close(): Promise<void>
}

/** Starts a licence server on loopback; `GET` answers as a public-address lookup. */
export async function startLicenceServer(): Promise<LicenceServer> {
  const server = createServer((request, reply) => {
    if (request.method === 'GET') return void reply.end('203.0.113.7\n')
    request
      .setEncoding('utf8')
      .toArray()
      .then(
        (parts) => {
          standIn.asked.push(JSON.parse(parts.join('')))
          standIn.answer(reply)
        },
        () => reply.destroy(),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const standIn: LicenceServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked: [],
    answer: (reply) => void reply.end(signed(licenceFor())),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return standIn
}
