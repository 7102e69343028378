import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { run as runOutside } from '../run.ts'
import { asOwner, type Bench, makeBench, skip } from './testing/homes.ts'

describe('a program that runs once in a home', { skip }, () => {
  let bench: Bench
  const servers: Server[] = []
  before(() => {
    bench = makeBench()
  })
  after(async () => {
    for (const server of servers) server.close()
    await bench.remove()
  })

  const run = (...argv: [string, ...string[]]) => bench.owners.of(bench.alice).run(argv)

  /** A server that greets, on a socket that every account may use, or on a port. */
  async function listen(path: string | undefined): Promise<Server> {
    const server = createServer((socket) => socket.on('error', () => {}).end('hello'))
    servers.push(path === undefined ? server.listen(0, '127.0.0.1') : server.listen(path))
    await once(server, 'listening')
    if (path !== undefined) chmodSync(path, 0o777)
    return server
  }

  it('writes in the home under its uid, and is given its input', async () => {
    const script = 'cat >made && id -u && id -G && pwd && echo "$HOME $USER" && umask >&2'
    const ended = await bench.owners.of(bench.alice).run(['/bin/sh', '-c', script], { input: 'text' })
    const { uid, home } = bench.alice
    assert.deepEqual([ended.code, ended.isCut], [0, false])
    assert.equal(ended.stdout, `${uid}\n${uid}\n${home}\n${home} alice\n`)
    assert.equal(readFileSync(join(home, 'made'), 'utf8'), 'text')
    assert.deepEqual([statSync(join(home, 'made')).uid, ended.stderr], [uid, '0022\n'])
  })

  it('sees no other home and no file of the host but /usr, in which it changes nothing', async () => {
    writeFileSync(join(bench.bob.home, 'open'), 'bob', { mode: 0o644 })
    assert.equal(asOwner(bench.alice, 'cat', join(bench.bob.home, 'open')), 'bob')
    for (const path of [
      join(bench.bob.home, 'open'),
      '/etc/shadow',
      '/etc/passwd',
      '/proc/self/status',
      '/run/systemd',
    ])
      assert.match((await run('ls', '-d', path)).stderr, /No such file or directory/, path)
    assert.deepEqual((await run('ls', bench.root)).stdout, 'alice\n')
    for (const path of ['/usr/written', '/written', join(bench.root, 'written')])
      assert.notEqual((await run('touch', path)).code, 0, path)
  })

  it('has a /tmp of its own', async () => {
    const path = `/tmp/hostreeve-private-${process.pid}`
    assert.equal((await run('touch', path)).code, 0)
    assert.equal(existsSync(path), false)
  })

  it('has no network, not even the loopback of the host', async () => {
    const address = (await listen(undefined)).address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const ask = ['/bin/bash', '-c', `cat </dev/tcp/127.0.0.1/${port}`] as const
    assert.equal((await runOutside(ask, { as: bench.alice })).stdout, 'hello')
    const { code, stdout, stderr } = await run(...ask)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /Connection refused|unreachable/)
  })

  it('connects to the named socket and to no other', async () => {
    const [named, other] = [join(bench.root, 'named.sock'), join(bench.root, 'other.sock')]
    for (const path of [named, other]) await listen(path)
    const ask = (path: string) => ['/usr/bin/perl', '-MIO::Socket::UNIX', '-e', connecting, path] as const
    assert.equal((await runOutside(ask(other), { as: bench.alice })).stdout, 'hello')
    const owner = bench.owners.of(bench.alice)
    assert.equal((await owner.run(ask(named), { sockets: [named] })).stdout, 'hello')
    const refused = await owner.run(ask(other), { sockets: [named] })
    assert.deepEqual([refused.code, refused.stderr], [2, 'No such file or directory'])
    assert.equal((await owner.run(['ls', bench.root], { sockets: [named] })).stdout, 'alice\nnamed.sock\n')
  })

  it('is not started with anything but a socket', async () => {
    const owner = bench.owners.of(bench.alice)
    const [file, link] = [join(bench.root, 'file'), join(bench.root, 'link')]
    writeFileSync(file, '')
    await listen(join(bench.root, 'linked.sock'))
    symlinkSync('linked.sock', link)
    for (const path of [
      file,
      link,
      bench.root,
      '/etc',
      join(bench.root, 'none'),
      'linked.sock',
      '/a/../b',
      '--dev',
    ])
      assert.equal((await owner.run(['touch', 'started'], { sockets: [path] })).code, 126, path)
    assert.equal(existsSync(join(bench.alice.home, 'started')), false)
  })

  it('fails with 127 if it is missing, and its name never is an option', async () => {
    const missing: readonly (readonly [string, ...string[]])[] = [
      ['no-such-program'],
      ['--reuid=0', 'id'],
      ['--bind', '/', '/mnt', 'id'],
      ['--help'],
    ]
    for (const argv of missing) {
      const { code, stdout } = await bench.owners.of(bench.alice).run(argv)
      assert.deepEqual([code, stdout], [127, ''], argv[0])
    }
  })

  it('fails with 126 if the home is missing or has another owner', async () => {
    const stranger = { ...bench.bob, uid: bench.alice.uid }
    const { code, stderr } = await bench.owners.of(stranger).run(['id'])
    assert.equal(code, 126)
    assert.match(stderr, /belongs to uid/)
  })

  for (const [title, seconds, timeoutMs] of [
    ['at its timeout', '61.06131', 3000],
    ['when it is cancelled', '61.06132', 60_000],
  ] as const) {
    it(`is ended ${title} with every process that it started`, async () => {
      const cancelled = new AbortController()
      const script = `setsid sleep ${seconds} & sleep ${seconds}`
      const options = { signal: cancelled.signal, timeoutMs }
      const ending = bench.owners.of(bench.alice).run(['/bin/sh', '-c', script], options)
      await until(() => sleeping(seconds) === 2)
      if (title === 'when it is cancelled') cancelled.abort()
      assert.equal((await ending).code, 124)
      await until(() => sleeping(seconds) === 0)
    })
  }

  it('does not start when it was cancelled before', async () => {
    const { code } = await bench.owners
      .of(bench.alice)
      .run(['touch', 'late'], { signal: AbortSignal.abort() })
    assert.deepEqual([code, existsSync(join(bench.alice.home, 'late'))], [124, false])
  })

  it('has its output cut at the limit', async () => {
    const argv = ['/bin/sh', '-c', 'head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2'] as const
    const { code, stdout, stderr, isCut } = await bench.owners.of(bench.alice).run(argv, { maxBytes: 1000 })
    assert.deepEqual([code, stdout.length, stderr.length, isCut], [0, 1000, 1000, true])
  })
})

const connecting =
  'my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or do { print STDERR "$!"; exit 2 }; print <$s>'

/** The number of processes that sleep for this time. */
function sleeping(seconds: string): number {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8') === `sleep\0${seconds}\0`
    } catch {
      return false // it ended meanwhile
    }
  }).length
}
