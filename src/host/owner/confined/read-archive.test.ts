import assert from 'node:assert/strict'
import fc from 'fast-check'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Refusal } from './calls.ts'
import { readArchive } from './read-archive.ts'
import type { CallRun } from './session.ts'
import { parseHeader, type TarHeader } from './tar-headers.ts'
import { TarRules } from './tar-rules.ts'
import { bytesOf, damagedArchives, type Format } from './testing/damaged-archives.ts'

const seed = 20_261_122
const numRuns = process.env['HOSTREEVE_LONG'] ? 20_000 : 200
const limits = { maxBytes: 1_000_000, maxEntries: 4, maxDepth: 20, maxRatio: 50 }
/** The content, and for each entry its header and two names of at most 4,000 bytes. */
const maxOutputBytes = limits.maxBytes + (limits.maxEntries + 1) * 24 * 512
const maxMs = 60_000

describe('reading a damaged archive', () => {
  const home = process.cwd()
  const root = mkdtempSync(join(tmpdir(), 'read-archive-'))
  before(() => process.chdir(root)) // paths are from the home, which is the working folder of the confined program
  after(() => {
    process.chdir(home)
    rmSync(root, { recursive: true })
  })

  for (const format of ['tar', 'gzip', 'zstd', 'zip'] satisfies Format[])
    it(`of format ${format} yields admitted entries within the limits, or refuses`, async () => {
      const outcomes = new Map<string, number>()
      const property = fc.asyncProperty(damagedArchives(format), async (archive) => {
        writeFileSync('archive', await bytesOf(archive))
        const startedAt = performance.now()
        const outcome = await outcomeOf()
        assert.ok(performance.now() - startedAt < maxMs, 'took too long')
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      })
      await fc.assert(property, { seed, numRuns })
      assert.ok((outcomes.get('admitted') ?? 0) > 5 && outcomes.size > 8, JSON.stringify([...outcomes]))
    })
})

async function outcomeOf(): Promise<string> {
  try {
    const output = await readArchive({ archive: 'archive', limits }, run, new TarRules(limits), outputOf)
    assertAdmitted(entriesIn(output))
    return 'admitted'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    assert.equal(error.code, 'REFUSED')
    return error.message.replace(/ \(.*/s, '')
  }
}

const unexpected = () => Promise.reject(new Error('not part of reading an archive'))
const run: CallRun = {
  signal: new AbortController().signal,
  body: async function* () {},
  head: () => {},
  note: () => {},
  room: unexpected,
  send: unexpected,
}

async function outputOf(stream: AsyncGenerator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream) {
    parts.push(part)
    size += part.length
    assert.ok(size <= maxOutputBytes, `${size} bytes`)
  }
  return Buffer.concat(parts)
}

/** Reads an archive as tar does: every block at its offset, long names before their entry, an end mark. */
function entriesIn(output: Buffer): readonly TarHeader[] {
  const entries: TarHeader[] = []
  let long: Partial<TarHeader> = {}
  for (let at = 0; at < output.length - 1024;) {
    const header = parseHeader(output.subarray(at, at + 512))
    const text = output.toString('latin1', at + 512, at + 512 + header.size).replace(/\0$/, '')
    at += 512 + Math.ceil(header.size / 512) * 512
    if (header.type === 'L') long = { ...long, name: text }
    else if (header.type === 'K') long = { ...long, linkName: text }
    else if (header.type !== 'x') {
      entries.push({ ...header, ...long })
      long = {}
    }
  }
  assert.ok(
    output.subarray(-1024).every((byte) => byte === 0),
    'has no end mark',
  )
  return entries
}

function assertAdmitted(entries: readonly TarHeader[]): void {
  const links = new Set<string>()
  let bytes = 0
  for (const { name, type, size, mode, linkName } of entries) {
    const parts = name.split('/')
    assert.ok(!['', '.', '..'].some((part) => parts.includes(part)), `name ${JSON.stringify(name)}`)
    assert.ok(parts.length <= limits.maxDepth && !name.includes('\0'), `name ${JSON.stringify(name)}`)
    for (let end = 1; end < parts.length; end++)
      assert.ok(!links.has(parts.slice(0, end).join('/')), `${name} passes through a link`)
    assert.match(type, /^[0125]$/)
    assert.ok(mode <= 0o1777, `mode ${mode}`)
    if (type === '2') links.add(name)
    if (type === '1' || type === '2') assert.doesNotMatch(linkName, /^\/|\0|^$/)
    if (type === '1') assert.doesNotMatch(linkName, /(^|\/)\.\.(\/|$)/)
    bytes += size
  }
  assert.ok(bytes <= limits.maxBytes && entries.length <= limits.maxEntries)
}
