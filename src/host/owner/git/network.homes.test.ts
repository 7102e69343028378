import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import { type Bench, makeBench, skip } from '../testing/homes.ts'
import { type OtherSide, runWithNetwork } from './network.ts'
import { ServerKeyChanged, SignInRefused } from './problems.ts'
import { parseRemoteUrl } from './remote-url.ts'
import { fingerprintOf, type HostKeys } from './ssh.ts'
import { until } from '../../../../test/support/until.ts'
import { freePort } from '../../../../test/support/free-ports.ts'

const noServer = existsSync('/usr/sbin/sshd') ? false : 'openssh-server is not installed'

describe('a server that presents two ssh keys', { skip: skip || noServer, timeout: 300_000 }, () => {
  let [bench, folder, server, port] = [{} as Bench, '', {} as ChildProcess, 0]
  const keyOf = (type: string) =>
    readFileSync(join(folder, `${type}.pub`), 'utf8')
      .split(' ')
      .slice(0, 2)
      .join(' ')
  const kept: HostKeys[] = []
  const side = (more: Partial<OtherSide> = {}): OtherSide => ({
    url: parseRemoteUrl(`ssh://git@git.test:${port}/shop.git`),
    pinned: { host: 'git.test', port, address: '127.0.0.1', family: 4 },
    timeoutMs: 30_000,
    field: 'url',
    onLine: () => {},
    onHostKeys: async (keys) => void kept.push(keys),
    ...more,
  })
  /** Runs git against it, which ends with a Problem, as nobody may sign in. */
  const failure = async (more: Partial<OtherSide> = {}) => {
    const error: unknown = await runWithNetwork(bench.alice, side(more), {
      args: ['ls-remote', side().url.text],
    }).catch((each: unknown) => each)
    assert.ok(error instanceof Problem, String(error))
    return error
  }

  before(async () => {
    bench = makeBench()
    folder = mkdtempSync(join(tmpdir(), 'sshd-'))
    for (const type of ['ed25519', 'rsa'])
      execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', join(folder, type)])
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
    port = await freePort()
    const keys = ['ed25519', 'rsa'].flatMap((type) => ['-h', join(folder, type)])
    server = spawn(
      '/usr/sbin/sshd',
      ['-D', '-f', '/dev/null', '-p', String(port), '-o', 'ListenAddress=127.0.0.1', ...keys],
      { stdio: 'ignore' },
    )
    await answers(port)
  })
  after(async () => {
    server.kill()
    await bench.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is trusted by both after the first contact, and by only the one that was accepted', async () => {
    kept.length = 0
    await failure()
    await failure({ acceptHostKey: fingerprintOf(keyOf('rsa')) })
    await failure({ acceptHostKey: fingerprintOf(keyOf('ed25519')), hostKeys: [keyOf('rsa')] })
    assert.deepEqual(kept, [[keyOf('ed25519'), keyOf('rsa')], [keyOf('rsa')], [keyOf('ed25519')]])
  })

  it('is signed in to only with the known key', async () => {
    assert.equal((await failure({ hostKeys: [keyOf('rsa')] })).kind, SignInRefused)
    assert.equal(
      (await failure({ hostKeys: [keyOf('ed25519').replace(/.{10}$/, 'AAAAAAAAAA')] })).kind,
      ServerKeyChanged,
    )
    const { kind, message } = await failure({ acceptHostKey: `SHA256:${'A'.repeat(43)}` })
    assert.deepEqual([kind, message.includes(fingerprintOf(keyOf('rsa')))], [ServerKeyChanged, true], message)
  })

  it('is named in messages, and the namespace is not', async () => {
    const none = await failure()
    const broken = await failure({
      signIn: {
        login: 'git',
        privateKey: readFileSync(join(folder, 'rsa'), 'utf8').replaceAll(/[a-z]/g, 'x'),
      },
    })
    for (const { message } of [none, broken])
      assert.ok(
        /git@git\.test: Permission denied/.test(message) && !/127\.0\.0\.1|\/run\//.test(message),
        message,
      )
    assert.match(broken.message, /Load key private_key: /)
  })
})

async function answers(port: number): Promise<void> {
  await until(
    async () => {
      const socket = connect(port, '127.0.0.1')
      const isOpen = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'error').then(() => false),
      ]).catch(() => false)
      socket.destroy()
      return isOpen
    },
    { awaited: 'sshd to answer' },
  )
}
