import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { HelperFailed, OwnerUnavailable } from './problems.ts'
import { makeBench, skip, type Bench } from './testing/homes.ts'

const is = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind

// A program in the place of ours that speaks to the panel as it likes: 6 tells, 8 ends a call, 3 is the panel's word.
const preamble = `
import { Socket } from 'node:net'
const socket = new Socket({ fd: 3, readable: true, writable: true })
const json = (kind, call, value) => {
  const payload = Buffer.from(JSON.stringify(value)), head = Buffer.alloc(9)
  head.writeUInt32LE(payload.length, 0); head.writeUInt32LE(call, 4); head[8] = kind
  socket.write(Buffer.concat([head, payload]))
}
const done = () => json(8, 1, { ok: { entries: 1, bytes: 1, readBytes: 1, archiveBytes: 1 } })
const tell = (paths, further = 0) => json(6, 1, { paths, further })
socket.on('error', () => process.exit())
const ready = Buffer.alloc(9); ready[8] = 9; socket.write(ready)
`

const lies: Record<string, string> = {
  'more files than may be named': `socket.once('data', () => tell(Array(5001).fill('a')))`,
  'a list beyond its size': `socket.once('data', () => tell(Array(5000).fill('a'.repeat(2000))))`,
  'a path with NUL': `socket.once('data', () => tell(['a\\0b']))`,
  'a number that is none': `socket.once('data', () => tell(['a'], -1))`,
  'a second list': `socket.once('data', () => { tell(['a']); tell(['b']) })`,
}

describe('an extraction whose helper its owner controls', { skip }, () => {
  for (const [title, program] of Object.entries(lies))
    it(`fails for ${title}`, () =>
      withProgram(program, (bench) =>
        assert.rejects(
          extract(bench, async () => {}),
          is(HelperFailed),
        ),
      ))

  it('ends if the helper reports so before the panel confirmed', () =>
    withProgram(`socket.once('data', () => { tell(['a']); done() })`, async (bench) => {
      assert.equal((await extract(bench, () => new Promise(() => {}))).entries, 1)
    }))

  it('is abandoned if the helper does not continue after the confirmation', () =>
    withProgram(
      `socket.once('data', () => tell(['a']))`,
      (bench) =>
        assert.rejects(
          extract(bench, async () => {}),
          is(OwnerUnavailable),
        ),
      300,
    ))

  it('waits longer for the panel than for the helper', () =>
    withProgram(
      `socket.once('data', () => { tell(['a']); socket.once('data', done) })`,
      async (bench) => {
        const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 900))
        assert.equal((await extract(bench, slow)).entries, 1)
      },
      300,
    ))
})

function extract(bench: Bench, keep: () => Promise<void>) {
  return bench.owners
    .of(bench.alice)
    .archives.extract('a.tar', 'out', { replacing: { compareBytes: 1, keep } })
}

async function withProgram(
  program: string,
  check: (bench: Bench) => Promise<unknown>,
  stallMs = 10_000,
): Promise<void> {
  const folder = makeBench()
  writeFileSync(join(folder.root, 'taken.mjs'), preamble + program, { mode: 0o644 })
  const bench = makeBench({ helperPath: join(folder.root, 'taken.mjs'), stallMs })
  try {
    await check(bench)
  } finally {
    await bench.remove()
    await folder.remove()
  }
}
