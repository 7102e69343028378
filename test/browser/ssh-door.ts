import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import { freePort } from '../support/free-ports.ts'

/** A real sshd on loopback that serves a repository. */
export interface SshDoor {
  readonly root: string
  readonly port: number
  readonly url: string
  /** A private key that sshd accepts. */
  readonly privateKey: string
  /** The fingerprint of the host key. */
  fingerprint(): string
  git(...args: readonly string[]): string
  /** Replaces the host key. */
  changeKey(): Promise<void>
  stop(): Promise<void>
}

const readyMs = 60_000

/** Creates a repository with one commit, and authorizes a new key for the current account of this machine. */
export async function openSshDoor(): Promise<SshDoor> {
  const root = mkdtempSync(join(tmpdir(), 'ssh-door-'))
  const keygen = (name: string) =>
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(root, name)])
  const git = (...args: readonly string[]) =>
    execFileSync(
      'git',
      ['-c', 'safe.directory=*', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args],
      {
        cwd: root,
        encoding: 'utf8',
      },
    )
  for (const name of ['host', 'key']) keygen(name)
  git('init', '-q', '-b', 'main', 'work')
  writeFileSync(join(root, 'work/index.html'), '<h1>shop</h1>\n')
  git('-C', 'work', 'add', '.')
  git('-C', 'work', 'commit', '-q', '-m', 'Begin')
  git('clone', '-q', '--bare', 'work', 'shop.git')
  const port = await freePort()
  writeFileSync(join(root, 'config'), configOf(root, port))
  mkdirSync('/run/sshd', { recursive: true })
  let running = await serve(join(root, 'config'), port)
  return {
    root,
    port,
    url: `ssh://root@127.0.0.1:${port}${root}/shop.git`,
    privateKey: readFileSync(join(root, 'key'), 'utf8'),
    fingerprint: () =>
      execFileSync('ssh-keygen', ['-lf', join(root, 'host.pub')], { encoding: 'utf8' }).split(' ')[1] ?? '',
    git,
    changeKey: async () => {
      await running.stop()
      for (const name of ['host', 'host.pub']) rmSync(join(root, name))
      keygen('host')
      running = await serve(join(root, 'config'), port)
    },
    stop: async () => {
      await running.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function configOf(root: string, port: number): string {
  return `ListenAddress 127.0.0.1
Port ${port}
HostKey ${root}/host
PidFile none
AuthorizedKeysFile ${root}/key.pub
StrictModes no
UsePAM no
AllowUsers root
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
AllowTcpForwarding no
`
}

async function serve(config: string, port: number): Promise<{ stop(): Promise<void> }> {
  const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(server, 'exit')
  let output = ''
  server.stderr.on('data', (part) => (output += String(part)))
  await until(async () => server.exitCode !== null || listens(port), { limitMs: readyMs })
  if (server.exitCode !== null) throw new Error(`sshd does not answer: ${output}`)
  return {
    stop: async () => {
      server.kill('SIGTERM')
      await exited
    },
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
