import assert from 'node:assert/strict'
import { chown, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { appendFileSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openTerminals, type Terminals } from '../../host/terminal/index.ts'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { openDoor, type TerminalClient } from './testing/client.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root'

/** Real shells on a separate /etc and /home, in which ada has a home and two groups. */
async function openShells(): Promise<{ readonly shells: Terminals; readonly root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'terminal-'))
  await mkdir(join(root, 'home'))
  await cp('/etc', join(root, 'etc'), { recursive: true, verbatimSymlinks: true })
  const append = (name: string, line: string) => appendFileSync(join(root, 'etc', name), `${line}\n`)
  append('passwd', 'ada:x:12001:12001:Made by Hostreeve:/home/ada:/bin/bash')
  append('shadow', 'ada:!:20000:0:99999:7:::')
  append('group', 'ada:x:12001:\nbuilders:x:12002:ada')
  const binds = ['etc', 'home'].flatMap((name) => ['--bind', join(root, name), `/${name}`])
  const namespace = ['--dev-bind', '/', '/', ...binds, '--proc', '/proc', '--cap-add', 'ALL'] as const
  const shells = openTerminals({ confine: (argv) => ['/usr/bin/bwrap', ...namespace, '--', ...argv] })
  return { shells, root }
}

describe('a terminal with a real shell', { skip }, () => {
  let panel: TestPanel
  let shells: Terminals
  let root: string
  let door: Awaited<ReturnType<typeof openDoor>>
  let ada: Person
  before(async () => {
    ;({ shells, root } = await openShells())
    await mkdir(join(root, 'home/ada'), { mode: 0o700 })
    await chown(join(root, 'home/ada'), 12_001, 12_001)
    const accounts = new Map([
      ['ada', { uid: 12_001 }],
      ['root', { uid: 0, home: '/root' }],
    ])
    panel = await openTestPanel({ accounts, terminals: shells })
    door = await openDoor(panel)
    ada = await panel.person({ username: 'ada', permissions: ['terminal_access'] })
  })
  after(async () => {
    await shells.close()
    await panel.close()
    await rm(root, { recursive: true, force: true })
  })

  /** Opens a terminal of ada whose shell is ready. */
  const open = async (as: Person = ada): Promise<TerminalClient> => {
    const client = await door.open(as, { uid: ada.id })
    await client.shows(/\$ $/)
    return client
  }
  /** Runs a command and returns what it printed; the marks are written so that their echo is not taken for them. */
  const run = async (client: TerminalClient, command: string): Promise<string> => {
    const mark = Math.random().toString(36).slice(2)
    client.type(`printf '<%s\\n' ${mark}; ${command}; printf '%s>\\n' ${mark}\r`)
    const printed = new RegExp(`<${mark}\\r\\n([^]*?)${mark}>`)
    await client.shows(printed)
    return printed.exec(client.text().slice(-65_536))?.[1]?.replaceAll('\r', '').trim() ?? ''
  }
  const close = async (client: TerminalClient) => {
    client.send({ type: 'close' })
    await client.closed
  }

  it('runs a single program under an account, without a shell', async () => {
    let output = ''
    const program = { account: 'ada', argv: ['/usr/bin/id', '-u', '-n'] as const, env: {} }
    const terminal = shells.openProgram(program, { cols: 80, rows: 24 }, (bytes) => (output += String(bytes)))
    assert.equal(await terminal.ended, 0)
    assert.equal(output.trim(), 'ada')
  })

  it('runs as the account, with its groups, in its home, with an environment of its own', async () => {
    process.env['HOSTREEVE_ADMIN_PASSWORD'] = 'a secret of the panel'
    const client = await open()
    delete process.env['HOSTREEVE_ADMIN_PASSWORD']
    assert.equal(
      await run(client, 'id -u; id -g; id -G; pwd; umask'),
      '12001\n12001\n12001 12002\n/home/ada\n0022',
    )
    const environment = await run(client, 'env')
    for (const line of [
      'HOME=/home/ada',
      'USER=ada',
      'LOGNAME=ada',
      'TERM=xterm-256color',
      'SHELL=/bin/bash',
    ])
      assert.match(environment, new RegExp(`^${line}$`, 'm'))
    assert.doesNotMatch(environment, /HOSTREEVE|secret/)
    assert.equal(
      await run(client, 'shopt -q login_shell && grep -c "^CapEff:.*0000000000000000$" /proc/self/status'),
      '1',
    )
    await close(client)
  })

  it('is resized, and tells the exit status of its shell', async () => {
    const client = await open()
    client.send({ type: 'resize', cols: 132, rows: 43 })
    assert.equal(await run(client, 'stty size'), '43 132')
    client.type('exit 7\r')
    assert.deepEqual(await client.closed, [1000, ''])
    assert.deepEqual(client.messages.at(-1), { type: 'exit', code: 7 })
  })

  it('gives no other program its descriptors', async () => {
    const first = await open()
    const second = await open()
    assert.doesNotMatch(await run(second, 'ls -l /proc/$$/fd'), /ptmx/)
    const masters = readdirSync('/proc/self/fd').filter((fd) => linkOf(fd) === '/dev/ptmx')
    assert.ok(masters.length >= 2)
    for (const fd of masters) {
      const flags = /^flags:\s*([0-7]+)/m.exec(await readFile(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0'
      assert.ok((Number.parseInt(flags, 8) & 0o2000000) !== 0, `descriptor ${fd} is inherited`)
    }
    await close(first)
    await close(second)
  })

  it('takes Ctrl-C in the middle of a flood of output', async () => {
    const client = await open()
    client.type('yes\r')
    await until(() => client.text().length > 1024 * 1024)
    client.type('\u0003')
    assert.equal(await run(client, 'echo done'), 'done')
    await close(client)
  })

  it('is killed with all that runs on it at the end of its session', async () => {
    const person = await panel.person({ isAdmin: true })
    const client = await open(person)
    const pids = await run(
      client,
      `trap '' HUP TERM; (trap '' HUP TERM INT; sleep 1000) & nohup sleep 1000 >/dev/null 2>&1 & jobs -p; echo $$`,
    )
    assert.ok(pids.split('\n').length >= 3)
    await panel.request('POST', '/api/auth/logout', { as: person })
    assert.equal((await client.closed)[0], 1008)
    await until(() => pidsOf(12_001).length === 0, { everyMs: 20 })
  })

  it('hangs up when its user closes it, and keeps what was started with nohup', async () => {
    const client = await open()
    await run(client, 'nohup sleep 1001 >/dev/null 2>&1 & sleep 1002 & true')
    await close(client)
    await until(() => pidsOf(12_001).length === 1, { everyMs: 20 })
    for (const pid of pidsOf(12_001)) process.kill(pid, 'SIGKILL')
  })
})

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}

/** The running processes of an account; one that ends meanwhile is none. */
function pidsOf(uid: number): readonly number[] {
  const isRunning = (pid: string) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      return new RegExp(`^Uid:\\s+${uid}\\s`, 'm').test(status) && !/^State:\s+Z/m.test(status)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isRunning(name))
    .map(Number)
}
