import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { fetchProblems } from '../../host/fetch/index.ts'
import { deliver } from './packages.ts'
import { DownloadFailed, PackageWrong } from './problems.ts'

const { signal } = new AbortController()
const content = Buffer.from('an archive')
const sha256 = createHash('sha256').update(content).digest('hex')
const fetching = (stream: () => Readable) => ({
  open: async () => ({ stream: stream(), offset: 0, sizeBytes: undefined, validator: undefined }),
})
const source = { kind: 'url', url: 'https://example.com/a.zip', sha256 } as const
const isKind = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind

test('passes a package on, and refuses one with another checksum', async () => {
  const on = deliver(fetching(() => Readable.from([content])))
  const good = await on(source, signal)
  assert.deepEqual(Buffer.concat(await good.stream.toArray()), content)
  good.verify()
  const bad = await on({ ...source, sha256: 'a'.repeat(64) }, signal)
  await bad.stream.toArray()
  assert.throws(() => bad.verify(), isKind(PackageWrong))
  const any = await on({ ...source, sha256: null }, signal)
  await any.stream.toArray()
  any.verify()
})

test('tells a download that fails, at its beginning or later', async () => {
  const refused = deliver({
    open: async () => {
      throw fetchProblems.FetchFailed('url: https://example.com: the server answered 404')
    },
  })
  await assert.rejects(refused(source, signal), isKind(DownloadFailed))
  const broken = deliver(
    fetching(() =>
      Readable.from(
        (async function* () {
          yield content
          throw fetchProblems.FetchFailed('url: it broke off')
        })(),
      ),
    ),
  )
  await assert.rejects((await broken(source, signal)).stream.toArray(), isKind(DownloadFailed))
})
