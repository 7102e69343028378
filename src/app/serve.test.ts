import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../../test/support/until.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))
const isRoot = process.getuid?.() === 0
const nobody = { uid: 65_534, gid: 65_534 }
const canBeNobody = isRoot && spawnSync(process.execPath, ['--check', program], nobody).status === 0
const skip = !canBeNobody && 'needs root, to become another user who may read this checkout'

const password = 'correct horse battery'
const login = JSON.stringify({ email: 'admin@localhost.localdomain', password })
const signIn = [
  'POST /api/auth/login HTTP/1.1',
  'Host: panel',
  'Content-Type: application/json',
  `Content-Length: ${login.length}`,
  '',
  login,
].join('\r\n')

/** A connection to a port or a socket; undefined where nothing listens. */
async function connected(to: { readonly port: number } | { readonly path: string }) {
  const socket = connect(to as { readonly port: number })
  try {
    await once(socket, 'connect')
    return socket.on('error', () => {})
  } catch {
    return undefined
  }
}

describe('the panel, when it is started', () => {
  let folder: string
  let data: string
  let takenPort: number
  const other = createServer()
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hostreeve-serve-'))
    chmodSync(folder, 0o711)
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    takenPort = (other.address() as AddressInfo).port
  })
  let rounds = 0
  beforeEach(() => void (data = join(folder, `data-${(rounds += 1)}`)))
  const panels: ChildProcess[] = []
  afterEach(() => panels.splice(0).forEach((panel) => panel.kill('SIGKILL')))
  after(() => {
    other.close()
    rmSync(folder, { recursive: true })
  })

  const start = (
    settings: Readonly<Record<string, string | number>>,
    more?: typeof nobody | { readonly detached: true },
  ) => {
    const own = {
      PATH: process.env['PATH'],
      HOSTREEVE_DATA_DIR: data,
      HOSTREEVE_PORT: '0',
      HOSTREEVE_LOG_LEVEL: 'error',
    }
    const set = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
    const panel = spawn(process.execPath, [program, 'serve'], {
      env: { ...own, ...set },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...more,
    })
    panels.push(panel)
    return panel
  }

  it('answers a sign-in that arrives before its start is complete', async () => {
    const panel = start({ HOSTREEVE_ADMIN_PASSWORD: password })
    const ended = once(panel, 'exit')
    const socket = await until(() => connected({ path: join(data, 'panel.sock') }))
    socket.write(signIn)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
    panel.kill()
    socket.destroy()
    await ended
  })

  it('answers the requests in progress when its process group is told to stop, however often', async () => {
    const panel = start({ HOSTREEVE_ADMIN_PASSWORD: password }, { detached: true })
    const ended = once(panel, 'exit')
    const lines = createInterface({ input: panel.stdout })
    const port = await new Promise<number>((resolve) =>
      lines.on('line', (line) => {
        const found = /is ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(line)
        if (found) resolve(Number(found[1]))
      }),
    )
    const request = signIn.replace('\r\n\r\n', '\r\nexpect: 100-continue\r\n\r\n')
    const half = request.length - 10
    const sockets = await Promise.all(
      [{ port }, { path: join(data, 'panel.sock') }].map((to) => until(() => connected(to))),
    )
    for (const socket of sockets) {
      socket.write(request.slice(0, half))
      const [begun] = (await once(socket, 'data')) as [Buffer] // the panel has the request
      assert.match(begun.toString(), /^HTTP\/1\.1 100 /)
    }
    assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200) // answered after they were taken on
    const tell = () => process.kill(-(panel.pid as number), 'SIGTERM')
    tell()
    await until(async () => ((await connected({ port }))?.destroy() === undefined ? true : undefined))
    tell()
    tell()
    for (const socket of sockets) socket.write(request.slice(half))
    for (const said of await Promise.all(sockets.map(text))) assert.match(said, /^HTTP\/1\.1 200 /)
    assert.deepEqual(await ended, [0, null])
  })

  /** What a panel says that is to refuse to start. */
  const refusal = async (settings: Readonly<Record<string, string | number>>, as?: typeof nobody) => {
    const panel = start(settings, as)
    const ended = new Promise((resolve) => panel.once('exit', resolve))
    const [code, said, failed] = await Promise.all([ended, text(panel.stdout), text(panel.stderr)])
    assert.equal(code, 1, said)
    assert.equal(failed.trimEnd().split('\n').length, 1, failed)
    return { said, failed }
  }

  /** What a panel says until it is ready, which then ends. */
  const greeting = async (settings: Readonly<Record<string, string | number>>, as?: typeof nobody) => {
    const panel = start(settings, as)
    const ended = new Promise((resolve) => panel.once('exit', resolve))
    const lines: string[] = []
    for await (const line of createInterface({ input: panel.stdout })) {
      lines.push(line)
      if (line.includes('is ready at')) panel.kill()
    }
    await ended
    return lines.join('\n')
  }

  it('keeps the first password for the start that listens, where the port is taken', async () => {
    const { said, failed } = await refusal({ HOSTREEVE_PORT: takenPort })
    assert.equal(said, '')
    assert.equal(
      failed,
      `hostreeve: Port ${takenPort} of 127.0.0.1 is taken by another program: stop it, or choose another port with HOSTREEVE_PORT\n`,
    )
    assert.deepEqual(
      readdirSync(data).filter((name) => /^(local\.token|panel\.sock|hostreeve\.db-wal)$/.test(name)),
      [],
    )
    const greeted = await greeting({})
    assert.match(greeted, /The password is in \S+\/first-password until [^]*is ready at http:\/\/127/)
    const written = readFileSync(`${data}/first-password`, 'utf8')
    const [, password = ''] = /^email: \S+@\S+\npassword: (\S{20})\n$/.exec(written) ?? []
    assert.equal(statSync(`${data}/first-password`).mode & 0o777, 0o600)
    assert.ok(password !== '' && !greeted.includes(password))
    assert.doesNotMatch(await greeting({}), /password/)
    assert.equal(readFileSync(`${data}/first-password`, 'utf8'), written)
  })

  it('says that an address is none of this host', async () => {
    const { failed } = await refusal({ HOSTREEVE_HOST: '192.0.2.7', HOSTREEVE_TLS: 'off' })
    assert.match(failed, /192\.0\.2\.7 is no address of this host: set HOSTREEVE_HOST/)
  })

  it('says that the data folder is a file', async () => {
    writeFileSync(data, '')
    assert.match(
      (await refusal({})).failed,
      /The data folder \S+ is no folder: .* name another folder with HOSTREEVE_DATA_DIR/,
    )
  })

  it('says that others can read the data folder, and that a key has lost its store', async () => {
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(`${data}/secret.key`, Buffer.alloc(32, 1).toString('base64url'), { mode: 0o640 })
    chmodSync(data, 0o755)
    const said = await greeting({})
    assert.match(said, /^Warning: Other users can read \S+: run chmod go= \S+$/m)
    assert.match(said, /^Warning: Other users can read \S+\/secret\.key:/m)
    assert.match(
      said,
      /^Warning: \S+ contains the key secret\.key but no store hostreeve\.db: the panel starts empty\./m,
    )
    chmodSync(data, 0o700)
    assert.doesNotMatch(await greeting({}), /Warning/)
  })

  it('says that the store is no database, and what to do', async () => {
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(`${data}/secret.key`, Buffer.alloc(32, 1).toString('base64url'), { mode: 0o600 })
    writeFileSync(`${data}/hostreeve.db`, 'nonsense'.repeat(1000), { mode: 0o600 })
    assert.match(
      (await refusal({})).failed,
      /The store \S+\/hostreeve\.db is not a database: put it back from a backup/,
    )
  })

  it('says that the data folder, or what is kept in it, belongs to another user', { skip }, async () => {
    const message =
      /The data folder \S+ belongs to another user: start the panel as the user it belongs to, or name another folder/
    mkdirSync(data, { mode: 0o755 })
    assert.match((await refusal({}, nobody)).failed, message)
    chmodSync(data, 0o700)
    assert.match((await refusal({}, nobody)).failed, message)
    writeFileSync(`${data}/hostreeve.db`, '', { mode: 0o600 })
    chmodSync(data, 0o777)
    assert.match((await refusal({}, nobody)).failed, message)
  })

  it('says which ports only root may listen on', { skip }, async () => {
    chmodSync(mkdirSync(data, { recursive: true }) as string, 0o777)
    assert.match(
      (await refusal({ HOSTREEVE_PORT: 71 }, nobody)).failed,
      /Only root may listen on port 71: .* a port from 1024 with HOSTREEVE_PORT/,
    )
  })

  it('tells a user without root what that means', { skip }, async () => {
    chmodSync(mkdirSync(data, { recursive: true }) as string, 0o777)
    assert.match(await greeting({}, nobody), /^It runs without root: .* start it as root\n.* is ready at /m)
    assert.doesNotMatch(await greeting({ HOSTREEVE_DATA_DIR: `${data}-own` }), /without root/)
  })
})
