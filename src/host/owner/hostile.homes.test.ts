import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { asOwner, confinedPids, makeBench, skip, type Bench } from './testing/homes.ts'
import { HelperFailed, OwnerUnavailable } from './problems.ts'
import { until } from '../../../test/support/until.ts'

const is =
  (...kinds: unknown[]) =>
  (error: unknown) =>
    error instanceof Problem && kinds.includes(error.kind)

// A program in the place of ours, as an owner who traces it could make of it.
const preamble = `
import { Socket } from 'node:net'
const socket = new Socket({ fd: 3, readable: true, writable: true })
const send = (kind, call, payload = Buffer.alloc(0), size = payload.length) => {
  const head = Buffer.alloc(9); head.writeUInt32LE(size, 0); head.writeUInt32LE(call, 4); head[8] = kind
  socket.write(Buffer.concat([head, Buffer.from(payload)]))
}
const json = (kind, call, value) => send(kind, call, Buffer.from(JSON.stringify(value)))
const stat = { name: 'x', type: 'file', size: 10, mode: 420, uid: 1, gid: 1, mtimeMs: 1, locked: false, etag: 'a-b' }
socket.on('error', () => process.exit())
send(9, 0)
`

const attacks: Record<string, string> = {
  'garbage instead of frames': `socket.on('data', () => socket.write(Buffer.alloc(4096, 0xfe)))`,
  'a frame larger than its limit': `socket.on('data', () => send(8, 1, Buffer.alloc(10), 0xfffffff0))`,
  'JSON that is none': `socket.on('data', () => send(8, 1, Buffer.from('{"ok":')))`,
  'ten thousand levels of JSON': `socket.on('data', () => send(8, 1, Buffer.from('['.repeat(10000))))`,
  'a reply of another shape': `socket.on('data', () => json(8, 1, { ok: { ...stat, size: -1 } }))`,
  'a field of its own': `socket.on('data', () => json(8, 1, { ok: { ...stat, extra: 1 } }))`,
  'a prototype': `socket.on('data', () => send(8, 1, Buffer.from('{"ok":{"__proto__":{"isAdmin":true}}}')))`,
  'a name with a slash': `socket.on('data', () => json(8, 1, { ok: { ...stat, name: '../x' } }))`,
  'an answer to a call that was never made': `socket.on('data', () => json(8, 77, { ok: {} }))`,
  'bytes that nobody asked for': `socket.on('data', () => send(2, 1, Buffer.alloc(100)))`,
  'credit for bytes that were never sent': `socket.on('data', () => send(4, 1, Buffer.from([255, 255, 255, 127])))`,
  'a flood of frames': `socket.on('data', () => { for (let n = 0; n < 100000; n++) send(7, 1, Buffer.from('{}')) })`,
  'a second greeting': `socket.on('data', () => send(9, 0))`,
}

const readAttacks: Record<string, string> = {
  'more bytes than promised': `socket.on('data', () => { json(6, 1, { stat, start: 0, end: 10 }); send(2, 1, Buffer.alloc(11)) })`,
  'fewer bytes than promised': `socket.on('data', () => { json(6, 1, { stat, start: 0, end: 10 }); send(2, 1, Buffer.alloc(5)); json(8, 1, { ok: {} }) })`,
  'a range that was not asked for': `socket.on('data', () => json(6, 1, { stat, start: 5, end: 10 }))`,
  'an endless flood past the credit': `socket.once('data', () => { json(6, 1, { stat: { ...stat, size: 1e12 }, start: 0, end: 1e12 }); const go = () => { for (let n = 0; n < 99; n++) send(2, 1, Buffer.alloc(65536)); setImmediate(go) }; go() })`,
  'death in the middle of a part': `socket.on('data', () => { json(6, 1, { stat, start: 0, end: 10 }); send(2, 1, Buffer.alloc(3), 10); setTimeout(() => process.exit(), 50) })`,
}

const searchAttacks: Record<string, string> = {
  'a row of another shape': `socket.on('data', () => { json(6, 1, {}); send(2, 1, Buffer.from('{"path":"a","type":"file","more":1}\\n')); json(8, 1, { ok: {} }) })`,
  'a row that is no JSON': `socket.on('data', () => { json(6, 1, {}); send(2, 1, Buffer.from('x\\n')); json(8, 1, { ok: {} }) })`,
  'a row without an end': `socket.once('data', () => { json(6, 1, {}); for (let n = 0; n < 10; n++) send(2, 1, Buffer.alloc(65536, 97)) })`,
  'death before the end': `socket.on('data', () => { json(6, 1, {}); send(2, 1, Buffer.from('{"path":"a","type":"file"}\\n')); setTimeout(() => process.exit(), 50) })`,
}

describe('a helper that its owner controls', { skip }, () => {
  for (const [title, program] of Object.entries(attacks)) {
    it(`is killed for ${title}`, () =>
      withProgram(program, async (bench) => {
        await assert.rejects(bench.owners.of(bench.alice).stat('x'), is(HelperFailed))
        assert.deepEqual(bench.owners.counts(), { alive: 0, idle: 0, abandoned: 0, refused: 1 })
      }))
  }

  for (const [title, program] of Object.entries(searchAttacks)) {
    it(`cannot present ${title} as a result`, () =>
      withProgram(program, (bench) =>
        assert.rejects(bench.owners.of(bench.alice).search('', 'x'), is(HelperFailed)),
      ))
  }

  it('cannot return more results than requested', () =>
    withProgram(
      `socket.once('data', () => { json(6, 1, {}); const row = Buffer.from('{"path":"a","type":"file"}\\n'.repeat(1000)); const go = () => { send(2, 1, row); setTimeout(go, 20) }; go() })`,
      async (bench) => {
        const { items, isCut } = await bench.owners.of(bench.alice).search('', 'x', { limit: 1500 })
        assert.deepEqual([items.length, isCut], [1500, true])
      },
    ))

  for (const [title, program] of Object.entries(readAttacks)) {
    it(`cannot present ${title}`, () =>
      withProgram(program, async (bench) => {
        const reading = bench.owners.of(bench.alice).read('x')
        const failure = reading.then(({ stream }) =>
          title.includes('flood')
            ? once(stream, 'error').then(([error]) => {
                throw error
              })
            : stream.toArray(),
        )
        await assert.rejects(failure, is(HelperFailed))
      }))
  }

  it('is abandoned and counted when it never answers', () =>
    withProgram(
      'socket.resume()',
      async (bench) => {
        await assert.rejects(bench.owners.of(bench.alice).stat('x'), is(OwnerUnavailable))
        assert.equal(bench.owners.counts().abandoned, 1)
      },
      300,
    ))

  it('is abandoned when it continues after its call was cancelled, despite signs of life', () =>
    withProgram(
      `const note = { entries: 1, bytes: 1, readBytes: 1, archiveBytes: 1 }
      socket.once('data', () => setInterval(() => json(7, 1, note), 50))`,
      async (bench) => {
        const cancelled = new AbortController()
        const onProgress = () => cancelled.abort()
        await assert.rejects(
          bench.owners
            .of(bench.alice)
            .archives.compress(['x'], 'x.zip', { signal: cancelled.signal, onProgress }),
          is(OwnerUnavailable),
        )
        assert.equal(bench.owners.counts().abandoned, 1)
      },
      300,
    ))

  it('is not restarted endlessly when it keeps violating the protocol', () =>
    withProgram(`socket.on('data', () => socket.write(Buffer.alloc(4096, 0xfe)))`, async (bench) => {
      const own = bench.owners.of(bench.alice)
      for (let count = 0; count < 10; count++) await assert.rejects(own.stat(''), is(HelperFailed))
      await assert.rejects(
        own.stat(''),
        (error) => is(OwnerUnavailable)(error) && /violated the protocol/.test(String(error)),
      )
      assert.equal(bench.owners.counts().refused, 10)
    }))

  it('fails its call when it dies in the middle of a reply', () =>
    withProgram(
      `socket.on('data', () => { send(8, 1, Buffer.alloc(3), 100); setTimeout(() => process.exit(), 50) })`,
      async (bench) => {
        await assert.rejects(bench.owners.of(bench.alice).stat('x'), is(HelperFailed))
      },
    ))

  it('gives the reason when it cannot start', () =>
    withProgram(
      '',
      async (bench) => {
        await assert.rejects(bench.owners.of(bench.alice).stat('x'), is(OwnerUnavailable))
      },
      1000,
      'process.exit(3)',
    ))
})

describe('the confinement', { skip }, () => {
  it('leaves the helper no capability, no descriptor and no network', () =>
    withProgram('socket.resume()', async (bench) => {
      const call = bench.owners
        .of(bench.alice)
        .stat('x')
        .catch(() => {})
      let pid = ''
      await until(() => (pid = confinedPid(bench.alice.uid)) !== '')
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      for (const line of [
        'CapEff:\t0000000000000000',
        'CapBnd:\t0000000000000000',
        'CapPrm:\t0000000000000000',
        'NoNewPrivs:\t1',
      ])
        assert.ok(status.includes(line), line)
      assert.match(status, /^Groups:\s*$/m)
      assert.equal(readFileSync(`/proc/${pid}/environ`, 'utf8').replace(/PWD=[^\0]*\0/, ''), '')
      assert.equal(
        readFileSync(`/proc/${pid}/net/dev`, 'utf8')
          .split('\n')
          .filter((line) => line.includes(':') && !line.includes('lo:')).length,
        0,
      )
      const targets = () => readdirSync(`/proc/${pid}/fd`).flatMap((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
      await until(() => targets().every((target) => !target.startsWith('/') || target === '/dev/null')) // while it starts, it has libraries open
      const ours = new Set(readdirSync('/proc/self/fd').flatMap((fd) => linkOf(`/proc/self/fd/${fd}`)))
      assert.deepEqual(
        targets().filter((target) => /^(pipe|socket):/.test(target) && ours.has(target)),
        [],
      )
      for (const kind of ['mnt', 'pid', 'net', 'ipc', 'uts'])
        assert.notEqual(readlinkSync(`/proc/${pid}/ns/${kind}`), readlinkSync(`/proc/self/ns/${kind}`), kind)
      await bench.owners.close()
      await call
      await until(() => confinedPid(bench.alice.uid) === '')
    }))

  it('abandons a stopped helper, and starts another', async () => {
    const bench = makeBench({ stallMs: 400 })
    try {
      const own = bench.owners.of(bench.alice)
      await own.stat('')
      asOwner(bench.alice, 'kill', '-STOP', confinedPid(bench.alice.uid))
      await assert.rejects(own.stat(''), is(OwnerUnavailable))
      assert.equal((await own.stat('')).type, 'folder')
      assert.equal(bench.owners.counts().abandoned, 1)
    } finally {
      await bench.remove()
    }
  })

  it('does not count as stuck while the sender of a file pauses', async () => {
    const bench = makeBench({ stallMs: 300 })
    try {
      const resumeAt = performance.now() + 900
      async function* slowly() {
        yield Buffer.from('one ')
        await until(() => performance.now() > resumeAt)
        yield Buffer.from('two')
      }
      const { size } = await bench.owners.of(bench.alice).write('slow', Readable.from(slowly()))
      assert.deepEqual([size, bench.owners.counts().abandoned], [7, 0])
    } finally {
      await bench.remove()
    }
  })

  it('keeps at most the allowed number of helpers, and makes calls wait for a slot', async () => {
    const bench = makeBench({ maxHelpers: 2, waitMs: 500 })
    try {
      const accounts = [bench.alice, bench.bob, bench.account('carol', 61_003)]
      for (const account of accounts) await bench.owners.of(account).stat('')
      assert.equal(bench.owners.counts().alive, 2)
      for (const account of accounts.slice(0, 2))
        writeFileSync(join(account.home, 'big'), Buffer.alloc(8_000_000))
      const held = [
        await bench.owners.of(bench.alice).read('big'),
        await bench.owners.of(bench.bob).read('big'),
      ]
      await assert.rejects(bench.owners.of(accounts[2]!).stat(''), is(OwnerUnavailable))
      for (const { stream } of held) stream.destroy()
      assert.equal((await bench.owners.of(accounts[2]!).stat('')).type, 'folder')
      assert.equal(bench.owners.counts().alive, 2)
    } finally {
      await bench.remove()
    }
  })

  it('ends an idle helper', async () => {
    const bench = makeBench({ idleMs: 50 })
    try {
      for (const account of [bench.alice, bench.bob]) await bench.owners.of(account).stat('')
      await until(() => bench.owners.counts().alive === 0 && confinedPids(bench.alice.uid).length === 0)
    } finally {
      await bench.remove()
    }
  })

  it('queues calls of one owner beyond the concurrent limit, and refuses those that wait too long or are too many', async () => {
    const bench = makeBench({ maxCalls: 2, maxQueued: 2, waitMs: 1500 })
    try {
      const own = bench.owners.of(bench.alice)
      writeFileSync(join(bench.alice.home, 'big'), Buffer.alloc(8_000_000))
      const held = [await own.read('big'), await own.read('big')]
      assert.equal((await bench.owners.of(bench.bob).stat('')).type, 'folder') // another owner does not wait
      const waiting = [own.stat(''), own.stat('big')]
      await assert.rejects(
        own.stat(''),
        (error) => is(OwnerUnavailable)(error) && /more are waiting/.test(String(error)),
      )
      held[0]?.stream.destroy()
      assert.deepEqual(
        (await Promise.all(waiting)).map(({ type }) => type),
        ['folder', 'file'],
      )
      const third = await own.read('big')
      await assert.rejects(
        own.stat(''),
        (error) => is(OwnerUnavailable)(error) && /none ended within/.test(String(error)),
      )
      for (const { stream } of [held[1]!, third]) stream.destroy()
      assert.equal((await Promise.all([own.stat('big'), own.stat('big')])).length, 2)
    } finally {
      await bench.remove()
    }
  })

  it('limits concurrent packing, unpacking and locking of one owner, while other calls continue', async () => {
    const bench = makeBench({ maxLargeCalls: 1, waitMs: 300 })
    const [own, stop] = [bench.owners.of(bench.alice), new AbortController()]
    try {
      asOwner(bench.alice, 'truncate', '--size=20G', 'holes')
      const packing = own.archives.compress(['holes'], 'holes.tar.xz', { signal: stop.signal })
      for (const work of [
        own.archives.compress(['holes'], 'b.zip'),
        own.archives.extract('holes', 'out'),
        own.lock('holes', true),
      ])
        await assert.rejects(
          work,
          (error) => is(OwnerUnavailable)(error) && /none ended within/.test(String(error)),
        )
      assert.equal((await own.stat('holes')).is_locked, false)
      stop.abort()
      await assert.rejects(packing)
      assert.equal((await own.lock('holes', true)).is_locked, true)
      await own.lock('holes', false)
    } finally {
      await bench.remove()
    }
  })

  it('serves a thousand concurrent calls of one owner within its limits', async () => {
    const bench = makeBench({ maxQueued: 1000 })
    try {
      const own = bench.owners.of(bench.alice)
      const all = await Promise.all(Array.from({ length: 1000 }, () => own.stat('')))
      assert.ok(all.every(({ type }) => type === 'folder'))
    } finally {
      await bench.remove()
    }
  })

  it('dies with the panel', async () => {
    const bench = makeBench()
    const code = `import { openOwners } from ${JSON.stringify(join(import.meta.dirname, 'owners.ts'))}
      await openOwners().of(${JSON.stringify(bench.alice)}).stat(''); console.log('up'); setInterval(() => {}, 1000)`
    const panel = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let pid = ''
    try {
      await until(() => (pid = confinedPid(bench.alice.uid)) !== '')
    } finally {
      panel.kill('SIGKILL')
    }
    await until(() => !existsSync(`/proc/${pid}`))
    await bench.remove()
  })
})

async function withProgram(
  program: string,
  check: (bench: Bench) => Promise<void>,
  stallMs = 10_000,
  whole = preamble + program,
): Promise<void> {
  const folder = makeBench()
  writeFileSync(join(folder.root, 'taken.mjs'), whole, { mode: 0o644 })
  const bench = makeBench({ helperPath: join(folder.root, 'taken.mjs'), stallMs })
  try {
    await check(bench)
  } finally {
    await bench.remove()
    await folder.remove()
  }
}

function confinedPid(uid: number): string {
  return String(confinedPids(uid)[0] ?? '')
}

function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)]
  } catch {
    return [] // closed meanwhile
  }
}
