import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { fetchProblems } from '../../host/fetch/index.ts'
import { assertFits, deliver } from './packages.ts'
import { AlteringAlready, DownloadFailed, PackageWrong, SourceInvalid } from './problems.ts'
import type { AskWordPress } from './run-script.ts'

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

const place = { username: 'ada', domain: 'a.test', version: '8.2', isTls: false }

test('tells why an archive is not what WordPress can be updated with', async () => {
  const asked: unknown[] = []
  const answering = (fault: string | null, isLocked = false) =>
    (async (_place, mode, input) => {
      asked.push([mode, input])
      return { version: '6.2', fault, is_locked: isLocked }
    }) as AskWordPress
  const known = { ...source, sha256: null, version: '6.2' }
  const home = { kind: 'path', path: 'wp.zip' } as const
  const fitting = { archive: '/home/ada/wp.zip', signal }
  assert.equal(await assertFits(answering(null), place, { ...fitting, source: known }), '6.2')
  await assertFits(answering(null), place, { ...fitting, source: home })
  assert.deepEqual(asked, [
    ['inspect', { package: '/home/ada/wp.zip', wanted: '6.2' }],
    ['inspect', { package: '/home/ada/wp.zip', wanted: null }],
  ])
  const old = answering('has WordPress 5.0, which is older than 6.1 of the website')
  for (const [ask, from, kind, message] of [
    [old, home, SourceInvalid, /^path: wp\.zip has WordPress 5\.0, which is older/],
    [old, known, PackageWrong, /^https:\/\/example\.com\/a\.zip has WordPress 5\.0/],
    [answering(null, true), home, AlteringAlready, /^WordPress of a\.test is updating itself/],
  ] as const)
    await assert.rejects(assertFits(ask, place, { ...fitting, source: from }), (error) => {
      assert.ok(error instanceof Problem && error.kind === kind)
      assert.match(error.message, message)
      return true
    })
})
