import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { freePorts } from '../../../test/support/free-ports.ts'
import { until } from '../../../test/support/until.ts'
import { run } from '../../host/run.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { authorityPath, spool } from './layout.ts'
import { renderRule, type Target } from './render.ts'

describe('rsyslog that sends its lines to another one', () => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-forward-`)
  const at = (name: string) => `${folder}/${name}`
  const running = new Map<string, ChildProcess>()
  let [plain, encrypted] = [0, 0]
  let own = { cert: '', key: '' }

  const start = async (name: 'sender' | 'receiver') => {
    const child = spawn('rsyslogd', ['-n', '-i', at(`${name}.pid`), '-f', at(`${name}.conf`)], {
      stdio: 'ignore',
    })
    running.set(name, child)
    await until(() => existsSync(at(`${name}.pid`)), { awaited: `${name} to run` })
  }
  const stop = async (name: 'sender' | 'receiver') => {
    const child = running.get(name)
    running.delete(name)
    if (child === undefined || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    rmSync(at(`${name}.pid`), { force: true })
  }
  const send = async (target: Pick<Target, 'port' | 'protocol' | 'ca'>) => {
    await stop('sender')
    const rule = renderRule('remote', { server: 'localhost', ...target })
      .replaceAll(spool, at('spool'))
      .replace(authorityPath('remote'), at('ca.pem'))
    writeFileSync(at('ca.pem'), target.ca)
    writeFileSync(
      at('sender.conf'),
      `module(load="imuxsock" SysSock.Use="off")\ninput(type="imuxsock" Socket="${at('socket')}")\n${rule}`,
    )
    await start('sender')
    await until(() => existsSync(at('socket')), { awaited: 'the socket' })
  }
  let count = 0
  const log = async () => {
    const text = `line-${(count += 1)}.`
    const { code, stderr } = await run(['logger', '--socket', at('socket'), '--', text])
    assert.equal(code, 0, stderr)
    return text
  }
  const received = () => (existsSync(at('received')) ? readFileSync(at('received'), 'utf8') : '')
  const arrive = async (...lines: readonly string[]) => {
    for (const line of lines) await until(() => received().includes(line), { awaited: `${line} to arrive` })
  }

  before(async () => {
    ;[plain = 0, encrypted = 0] = await freePorts(2)
    own = await createSelfSigned('localhost', [{ type: 'dns', value: 'localhost' }], new Date())
    mkdirSync(at('spool'))
    writeFileSync(at('cert.pem'), own.cert)
    writeFileSync(at('key.pem'), own.key)
    const files = ['ca', 'cert', 'key'].map(
      (name) => `streamdriver.${name}file="${at(name === 'key' ? 'key.pem' : 'cert.pem')}"`,
    )
    writeFileSync(
      at('receiver.conf'),
      `module(load="imtcp")
input(type="imtcp" address="127.0.0.1" port="${plain}")
input(type="imtcp" address="127.0.0.1" port="${encrypted}" streamdriver.name="gtls" streamdriver.mode="1"
  streamdriver.authmode="anon" ${files.join(' ')})
action(type="omfile" file="${at('received')}")
`,
    )
    await start('receiver')
    await send({ port: plain, protocol: 'tcp', ca: '' })
  })
  after(async () => {
    await stop('sender')
    await stop('receiver')
    rmSync(folder, { recursive: true, force: true })
  })

  const logMany = async () => {
    const lines: string[] = []
    for (let index = 0; index < 20; index += 1) lines.push(await log())
    return lines
  }

  it('loses none while the other is stopped', async () => {
    await arrive(await log())
    await stop('receiver')
    const lines = await logMany()
    await start('receiver')
    await arrive(...lines)
  })

  it('keeps those that wait on the disk when it is restarted, but for the one that it was trying', async () => {
    await stop('receiver')
    const [, ...lines] = await logMany()
    await stop('sender')
    assert.ok(readdirSync(at('spool')).some((name) => name.startsWith('hostreeve-remote.')))
    await start('sender')
    await start('receiver')
    await arrive(...lines)
  })

  it('sends over TLS to a server with a certificate that it trusts', async () => {
    await send({ port: encrypted, protocol: 'tls', ca: own.cert })
    await arrive(await log())
  })
})
