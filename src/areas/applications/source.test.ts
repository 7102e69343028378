import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { fetchProblems } from '../../host/fetch/index.ts'
import { entryOf } from './catalog/catalog.ts'
import { assertRuns, chooseSource, deliver } from './source.ts'

const content = Buffer.from('an archive')
const sha1 = createHash('sha1').update(content).digest('hex')
const sha256 = createHash('sha256').update(content).digest('hex')

/** A host with these files, and a publisher that has these texts by their addresses. */
const on = (files: readonly string[] = [], published: Readonly<Record<string, Buffer | string>> = {}) =>
  ({
    run: () => Promise.reject(new Error('nothing runs')),
    files: {
      facts: async (path: string) => (files.includes(path) ? { kind: 'file' } : undefined),
      list: async (folder: string) =>
        folder.startsWith('/etc')
          ? files
          : files.flatMap((path) =>
              path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1).split('/')[0]!] : [],
            ),
    },
    fetch: {
      open: async ({ url }: { readonly url: string }) => {
        const found = published[url]
        if (found === undefined) throw fetchProblems.FetchFailed(`url: ${url}: the server answered 404`)
        return { stream: Readable.from([Buffer.from(found)]) }
      },
    },
  }) as unknown as Parameters<typeof deliver>[0]

const signal = new AbortController().signal
const wordpress = entryOf('wordpress')
const newest = 'https://wordpress.org/latest.tar.gz'

const refusedWith =
  (code: string, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.kind.code, code)
    assert.match(error.message, message)
    return true
  }

test('takes the package of the host if the whole of it is there', async () => {
  const files = wordpress.package!.complete.map(
    (path) => `/usr/share/wordpress/${path.replace('*', 'twentyten')}`,
  )
  assert.equal((await chooseSource(on(files), wordpress, signal)).kind, 'package')
  const checksum = { [`${newest}.sha1`]: `${sha1}\n` }
  const source = await chooseSource(on(files.slice(1), checksum), wordpress, signal)
  assert.deepEqual([source.kind, 'checksum' in source && source.checksum], ['archive', sha1])
})

test('refuses a checksum that is none, and one that cannot be read', async () => {
  for (const text of ['', '<html>', sha1.slice(1), `${sha1}00`])
    await assert.rejects(
      chooseSource(on([], { [`${newest}.sha1`]: text }), wordpress, signal),
      refusedWith('download_failed', /must begin with 40 hexadecimal digits/),
    )
  await assert.rejects(
    chooseSource(on(), wordpress, signal),
    refusedWith('download_failed', /^https:\/\/wordpress.*answered 404/),
  )
})

const archiveOf = (checksum: string) => ({
  ...({ kind: 'archive', url: newest, folder: 'wordpress', algorithm: 'sha256' } as const),
  ...{ checksum, maxBytes: 1000 },
})

test('delivers an archive, and refuses one with another checksum once it is read', async () => {
  for (const checksum of [sha256, 'a'.repeat(64)]) {
    const delivery = await deliver(on([], { [newest]: content }), archiveOf(checksum), signal)
    assert.deepEqual(Buffer.concat(await delivery.stream.toArray()), content)
    if (checksum === sha256) delivery.verify()
    else assert.throws(() => delivery.verify(), refusedWith('download_failed', new RegExp(sha256)))
  }
})

test('names the package of an extension that is missing', async () => {
  await assertRuns(on(['10-mysqlnd.ini', '20-mysqli.ini']), wordpress, '8.2')
  await assert.rejects(
    assertRuns(on(['10-mysqlnd.ini']), wordpress, '8.2'),
    refusedWith('unavailable', /^php_version: WordPress needs mysqli.*install php8\.2-mysql$/),
  )
  await assertRuns(on(), entryOf('starter'), null)
})
