import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SiteParts } from '../websites/index.ts'
import type { Certificates } from './context.ts'
import { certificatesOfWebsites } from './parts.ts'

test('a certificate stays with a website whose domain it covers, and leaves it with another domain', async () => {
  const row = { website_id: 1, method: 'acme', names: '["a.test"]' }
  const queries = { certificate: async () => row, failure: async () => undefined }
  const { part } = certificatesOfWebsites({ queries } as unknown as Certificates)
  const moved = async (domain: string, aliases: readonly string[]) =>
    (part as SiteParts).moved?.({ id: 1 } as never, { domain, aliases } as never)
  assert.deepEqual(await moved('a.test', ['never-covered.test']), {}, 'another owner')
  const dropped = await moved('b.test', [])
  assert.equal(dropped?.dropsCertificate, true)
  assert.match(dropped?.details?.[0] ?? '', /does not cover b\.test/)
})
