import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { rulesPath } from '../../tools/auditd/layout.ts'
import { authorityPath, rulePath } from '../../tools/log-forwarding/layout.ts'
import { scriptRsyslogd } from '../../tools/log-forwarding/testing/stand-in.ts'

const skip = process.getuid?.() !== 0 && 'only root can give files to root'
const dropIn = '/etc/ssh/sshd_config.d/10-hostreeve-audit.conf'
const server = { enabled: true, server: 'logs.example.com' }

const entry = (message: string, seconds: number, uid = '0') =>
  JSON.stringify({ MESSAGE: message, _PID: '7', _UID: uid, __REALTIME_TIMESTAMP: `${seconds}000000` })
const session = 'Starting session: shell on pts/0 for ada from 192.0.2.1 port 4711 id 0'
const ofAccounts = [entry(session, 1_700_000_012, '1001'), entry(session, 1_700_000_010, '1000')].join('\n')
const journal = [
  entry('Accepted publickey for ada from 192.0.2.1 port 4711 ssh2: ED25519 SHA256:x', 1_700_000_009),
  entry('Failed password for bob from 192.0.2.9 port 4711 ssh2', 1_700_000_001),
].join('\n')
const passwd = `root:x:0:0::/root:/bin/bash
ada:x:1000:1000::/home/ada:/bin/bash
eve:x:1001:1001::/home/eve:/bin/bash
`
const auditLog = [
  'type=SYSCALL msg=audit(1700000011.000:11): syscall=59 auid=0 ses=3 key="hostreeve_ssh"',
  'type=EXECVE msg=audit(1700000011.000:11): argc=2 a0="ls" a1="-l"',
].join('\n')

describe('the logs of the host', { skip }, () => {
  const installed = new Map<string, string>()
  const kernel = {
    isAuditing: true,
    refusal: '',
    /** What it refuses in the files of others, with or without those of the panel. */
    refusalOfOthers: '',
    isInstalled: true,
    sshd: '',
    effective: 'loglevel verbose\n',
    reload: '',
    /** The rules that the kernel has. */
    loaded: '',
  }
  let panel: TestPanel
  let tenant: Person
  const takeRules = () => {
    kernel.loaded = existsSync(panel.host.files.real(rulesPath)) ? 'hostreeve_ssh' : ''
    return {}
  }
  const script: Script = ([program, ...args]) => {
    if (program === 'auditctl')
      return kernel.isAuditing
        ? { stdout: args[0] === '-s' ? 'enabled 1\n' : kernel.loaded }
        : { code: 1, stderr: 'Operation not permitted' }
    if (program === 'systemctl' && args[1] === 'reload' && kernel.reload !== '')
      return { code: 1, stderr: kernel.reload }
    if (program === 'augenrules' && !kernel.isInstalled) return { code: 127 }
    if (program === 'augenrules' && kernel.refusalOfOthers !== '')
      return { code: 1, stderr: kernel.refusalOfOthers }
    if (program === 'augenrules')
      return kernel.refusal !== '' && existsSync(panel.host.files.real(rulesPath))
        ? { code: 1, stderr: kernel.refusal }
        : takeRules()
    if (program === 'journalctl') return { stdout: args.includes('_UID=0') ? journal : ofAccounts }
    if (program === 'tail') return { stdout: auditLog }
    if (program !== 'sshd') return undefined
    if (args[0] === '-T') return { stdout: kernel.effective }
    return kernel.sshd === '' ? {} : { code: 255, stderr: kernel.sshd }
  }
  before(async () => {
    panel = await openTestPanel({ scripts: [script, scriptRsyslogd(), scriptPackages(installed)] })
    tenant = await panel.person({ permissions: ['administrative_operations'] })
  })
  beforeEach(async () => {
    for (const name of ['rsyslog', 'rsyslog-gnutls', 'auditd']) installed.set(name, '1.0-1')
    Object.assign(kernel, { isAuditing: true, refusal: '', refusalOfOthers: '', isInstalled: true })
    Object.assign(kernel, { sshd: '', reload: '', loaded: '' })
    panel.services.set('ssh', { isActive: true, isEnabled: true })
    const { files } = panel.host
    for (const path of ['/etc/rsyslog.d', '/etc/audit/rules.d', '/etc/ssh/sshd_config.d', '/run'])
      await files.makeDirectory(path)
    await files.write('/etc/ssh/sshd_config', 'Include /etc/ssh/sshd_config.d/*.conf\n')
    await files.write('/etc/passwd', passwd)
    for (const path of [
      rulePath('remote'),
      authorityPath('remote'),
      rulePath('ssh-audit'),
      rulesPath,
      dropIn,
    ])
      await files.remove(path)
  })
  after(() => panel.close())
  const ask = (method: string, path: string, body?: unknown, as: Person = panel.admin) =>
    panel.request(method, `/api/settings/${path}`, { as, ...(body !== undefined && { body }) })
  const read = (path: string) => panel.host.files.read(path)
  const must = async (method: string, path: string, body?: unknown) => {
    const { status, data, error } = await ask(method, path, body)
    assert.equal(status, 200, JSON.stringify(error))
    return data
  }
  const refusal = async (path: string, body?: unknown) => {
    const { status, error } = await ask('POST', path, body)
    return [status, error.code, error.message] as const
  }

  test('are for superusers', async () => {
    for (const [method, path, body] of [
      ['GET', 'remote-logging', undefined],
      ['POST', 'remote-logging', server],
      ['GET', 'ssh-audit/status', undefined],
      ['GET', 'ssh-audit/logs', undefined],
      ['POST', 'ssh-audit/toggle', { enabled: true }],
      ['POST', 'ssh-audit/rewrite', undefined],
      ['POST', 'ssh-audit/forward', server],
    ] as const) {
      assert.equal((await ask(method, path, body, tenant)).error.code, 'forbidden', path)
      assert.equal((await panel.request(method, `/api/settings/${path}`, { body })).status, 401, path)
    }
  })

  test('are sent to a server, and no more', async () => {
    await must('POST', 'remote-logging', { ...server, port: 5140 })
    assert.match((await read(rulePath('remote'))) ?? '', /target="logs\.example\.com" port="5140"/)
    const shown = await must('GET', 'remote-logging')
    assert.deepEqual(
      [shown.enabled, shown.server, shown.port, shown.protocol, shown.state],
      [true, 'logs.example.com', 5140, 'tcp', 'applied'],
    )
    await must('POST', 'remote-logging', { enabled: false })
    assert.equal(await read(rulePath('remote')), undefined)
    const now = await must('GET', 'remote-logging')
    assert.deepEqual([now.enabled, now.server, now.state], [false, 'logs.example.com', 'absent'])
  })

  test('are sent to a name without its root dot', async () => {
    await must('POST', 'remote-logging', { ...server, server: 'Logs2.Example.com.' })
    assert.match((await read(rulePath('remote'))) ?? '', /target="logs2\.example\.com"/)
    await must('POST', 'remote-logging', server)
  })

  test('are encrypted for a server whose certificate is checked', async () => {
    const { cert } = await createSelfSigned('logs', [{ type: 'dns', value: 'logs' }], new Date())
    await must('POST', 'remote-logging', { ...server, protocol: 'tls', ca: cert })
    assert.match((await read(rulePath('remote'))) ?? '', /port="6514"[^]*StreamDriver="gtls"/)
    assert.ok((await read(authorityPath('remote')))?.endsWith(`\n${cert.trim()}\n`))
    await must('POST', 'remote-logging', { ...server, protocol: 'tcp', ca: '' })
    assert.equal(await read(authorityPath('remote')), undefined)
  })

  test('are sent to no server that is none', async () => {
    for (const body of [
      { ...server, server: '::' },
      { ...server, server: '0.0.0.0' },
      ...[
        ...['0:0:0:0:0:0:0:0', '::0', '::ffff:0.0.0.0', '::0.0.0.0', '::ffff:0:0', '00::'],
        ...['224.0.0.1', '239.1.1.1', '255.255.255.255', 'ff02::1', '::ffff:224.0.0.1'],
      ].map((address) => ({ ...server, server: address })),
      { ...server, server: '' },
      { ...server, server: 'logs.example.com" port="1' },
      { ...server, server: '-logs.example.com' },
      { ...server, server: '1.2.3' },
      { ...server, server: '192.0.2.1', protocol: 'tls' },
      { ...server, ca: 'not a certificate' },
      { ...server, ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
      { ...server, port: 0 },
      { ...server, port: 65_536 },
      { ...server, protocol: 'udp' },
      { server: 'logs.example.com' },
    ])
      assert.deepEqual(
        (await refusal('remote-logging', body)).slice(0, 2),
        [400, 'bad_request'],
        JSON.stringify(body),
      )
    for (const address of ['2001:db8::1', '192.0.2.1', '::1', '::ffff:192.0.2.1', '10.0.0.224'])
      await must('POST', 'remote-logging', { ...server, server: address, protocol: 'tcp' })
  })

  test('keep a file that was edited by hand until it is to be replaced', async () => {
    await must('POST', 'remote-logging', server)
    await panel.host.files.write(rulePath('remote'), '# by hand\n')
    assert.equal((await must('GET', 'remote-logging')).state, 'differs')
    assert.equal((await refusal('remote-logging', { ...server, port: 601 }))[1], 'edited_by_hand')
    await must('POST', 'remote-logging?overwrite=true', { ...server, port: 601 })
    assert.equal((await must('GET', 'remote-logging')).state, 'applied')
  })

  test('quote what rsyslog refuses, and tell what is not installed', async () => {
    for (const path of ['remote-logging', 'ssh-audit/forward']) {
      const [status, code, message] = await refusal(path, { ...server, server: 'refused.example.com' })
      assert.deepEqual([status, code], [500, 'config_failed'])
      assert.match(message, /error during parsing file/)
    }
    installed.clear()
    assert.match(
      (await refusal('remote-logging', server))[2],
      /rsyslog is not installed: install it under Software/,
    )
    assert.equal((await must('GET', 'remote-logging')).reason, 'rsyslog is not installed')
  })

  test('have an audit of sessions and commands, which is switched', async () => {
    await must('POST', 'ssh-audit/toggle', { enabled: true })
    assert.match((await read(dropIn)) ?? '', /LogLevel VERBOSE/)
    assert.match((await read(rulesPath)) ?? '', /-S execve .* -k hostreeve_ssh/)
    const { enabled, state, commands } = await must('GET', 'ssh-audit/status')
    assert.deepEqual([enabled, state, commands.enabled, commands.state], [true, 'applied', true, 'applied'])
    await must('POST', 'ssh-audit/toggle', { enabled: true, commands: false })
    assert.equal(await read(rulesPath), undefined)
    await must('POST', 'ssh-audit/toggle', { enabled: false })
    assert.equal(await read(dropIn), undefined)
    assert.equal((await ask('POST', 'ssh-audit/toggle', { enabled: 'perhaps' })).status, 400)
  })

  test('record no commands where the kernel does not, and say so', async () => {
    kernel.isAuditing = false
    const [status, code, message] = await refusal('ssh-audit/toggle', { enabled: true, commands: true })
    assert.deepEqual([status, code], [409, 'not_supported'])
    assert.match(message, /Operation not permitted/)
    await must('POST', 'ssh-audit/toggle', { enabled: true })
    const { enabled, commands } = await must('GET', 'ssh-audit/status')
    assert.deepEqual([enabled, commands.enabled, commands.supported], [true, false, false])
  })

  test('quote sshd and the audit where they refuse', async () => {
    kernel.sshd = 'Bad configuration option'
    for (const path of ['ssh-audit/toggle', 'ssh-audit/rewrite']) {
      if (path.endsWith('rewrite')) {
        kernel.sshd = ''
        await must('POST', 'ssh-audit/toggle', { enabled: true })
        await panel.host.files.remove(dropIn)
        kernel.sshd = 'Bad configuration option'
      }
      const [status, code, message] = await refusal(
        path,
        path.endsWith('toggle') ? { enabled: true } : undefined,
      )
      assert.deepEqual([status, code], [500, 'sshd_refused'], message)
    }
    kernel.sshd = ''
    await panel.host.files.remove(rulesPath)
    kernel.refusal = 'There was an error in line 2'
    assert.equal((await refusal('ssh-audit/toggle', { enabled: true }))[1], 'audit_failed')
    assert.equal(await read(rulesPath), undefined, 'nothing is left of it')
  })

  const isOn = async () => {
    const { enabled, commands } = await must('GET', 'ssh-audit/status')
    const files = [await read(dropIn), await read(rulesPath)].map((text) => text !== undefined)
    return [enabled, commands.enabled, ...files]
  }

  test('stay as they are, files and settings alike, where a part of the switch fails', async () => {
    const failing = [
      ['sshd', 'Bad configuration option', 'sshd_refused'],
      ['reload', 'Job for ssh.service failed', 'sshd_refused'],
      ['refusalOfOthers', 'There was an error in line 2', 'audit_failed'],
    ] as const
    await must('POST', 'ssh-audit/toggle', { enabled: true })
    for (const [part, message, expected] of failing) {
      kernel[part] = message
      const [status, code, shown] = await refusal('ssh-audit/toggle', { enabled: false })
      assert.deepEqual([status, code], [500, expected])
      assert.match(shown, new RegExp(`${message}.*Nothing was changed\\.$`, 's'))
      kernel[part] = ''
      assert.deepEqual(await isOn(), [true, true, true, true], `${part}: off`)
    }
    await must('POST', 'ssh-audit/toggle', { enabled: false })
    for (const [part, message, expected] of failing) {
      kernel[part] = message
      assert.equal((await refusal('ssh-audit/toggle', { enabled: true }))[1], expected)
      kernel[part] = ''
      assert.deepEqual(await isOn(), [false, false, false, false], `${part}: on`)
    }
  })

  test('end where the kernel records nothing any more, or auditd was removed', async () => {
    for (const gone of ['isAuditing', 'isInstalled'] as const) {
      await must('POST', 'ssh-audit/toggle', { enabled: true })
      kernel[gone] = false
      kernel.loaded = ''
      if (gone === 'isAuditing') kernel.refusalOfOthers = 'Operation not permitted'
      await must('POST', 'ssh-audit/toggle', { enabled: false })
      Object.assign(kernel, { [gone]: true, refusalOfOthers: '' })
      assert.deepEqual(await isOn(), [false, false, false, false], gone)
    }
  })

  test('write the files of the audit again', async () => {
    await must('POST', 'ssh-audit/toggle', { enabled: true })
    await must('POST', 'ssh-audit/forward', server)
    await panel.host.files.write(dropIn, 'LogLevel QUIET\n')
    await panel.host.files.write(rulePath('ssh-audit'), '# by hand\n')
    assert.equal((await refusal('ssh-audit/toggle', { enabled: false }))[1], 'edited_by_hand')
    assert.deepEqual(await must('POST', 'ssh-audit/rewrite'), { written: ['sshd', 'commands', 'forward'] })
    const { state, forward } = await must('GET', 'ssh-audit/status')
    assert.deepEqual([state, forward.state], ['applied', 'applied'])
  })

  test('send the audit to a server of its own', async () => {
    await must('POST', 'ssh-audit/forward', { enabled: true, server: 'audit.example.com', port: 10_514 })
    assert.match(
      (await read(rulePath('ssh-audit'))) ?? '',
      /programname[^]*target="audit\.example\.com" port="10514"/,
    )
    await must('POST', 'ssh-audit/forward', { enabled: false })
    assert.equal(await read(rulePath('ssh-audit')), undefined)
    assert.equal((await refusal('ssh-audit/forward', { enabled: true, server: '::' }))[0], 400)
  })

  test('list sign-ins, sessions and commands, the latest first, and none that another account wrote', async () => {
    const { entries } = await must('GET', 'ssh-audit/logs')
    assert.deepEqual(
      entries.map(({ event, user, source, method, command }: any) => [event, user, source, method, command]),
      [
        ['command', 'root', '', 'audit', 'ls -l'],
        ['session', 'ada', '192.0.2.1', 'shell', ''],
        ['login', 'ada', '192.0.2.1', 'publickey', ''],
        ['failed', 'bob', '192.0.2.9', 'password', ''],
      ],
    )
    assert.equal((await must('GET', 'ssh-audit/logs?limit=1')).entries.length, 1)
    assert.deepEqual(
      (await must('GET', 'ssh-audit/logs?user=ada&event=login')).entries.map(({ at }: any) => at),
      ['2023-11-14T22:13:29.000Z'],
    )
    for (const query of ['limit=0', 'limit=1001', 'event=other', 'user='])
      assert.equal((await ask('GET', `ssh-audit/logs?${query}`)).status, 400, query)
  })
})
