import type { RunResult } from '../../../src/host/run.ts'
import { type Host, poll } from '../harness/index.ts'

const options = [
  '-oBatchMode=yes',
  '-oStrictHostKeyChecking=no',
  '-oUserKnownHostsFile=/dev/null',
  '-oLogLevel=ERROR',
  '-oIdentitiesOnly=yes',
  '-oConnectTimeout=5',
] as const

/** The clients of OpenSSH on a host, against its own sshd. */
export class SshClient {
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  async startServer(): Promise<void> {
    await this.#host.must(['ssh-keygen', '-A'])
    await this.#host.must(['systemctl', 'start', 'ssh'])
    const script = '#!/bin/sh\necho "$ASKED"\n'
    await this.#host.must(['tee', '/root/askpass'], { input: script })
    await this.#host.must(['chmod', '700', '/root/askpass'])
  }

  /** Makes a pair of keys, and returns the public one. */
  async makeKey(name: string): Promise<string> {
    await this.#host.must([
      'ssh-keygen',
      '-q',
      '-t',
      'ed25519',
      '-N',
      '',
      '-C',
      name,
      '-f',
      `/root/key-${name}`,
    ])
    return (await this.#host.must(['cat', `/root/key-${name}.pub`])).stdout.trim()
  }

  async fingerprint(name: string): Promise<string | undefined> {
    return (await this.#host.must(['ssh-keygen', '-lf', `/root/key-${name}.pub`])).stdout.split(' ')[1]
  }

  /** Runs a command in a session; exit status 255 if there is none. */
  ssh(username: string, key: string, command: string): Promise<RunResult> {
    return this.#host.exec(['ssh', ...options, '-i', `/root/key-${key}`, `${username}@127.0.0.1`, command])
  }

  /** Runs commands of sftp, one a line; it stops at the first that fails. */
  sftp(username: string, key: string, commands: string): Promise<RunResult> {
    const argv = ['sftp', ...options, '-b', '-', '-i', `/root/key-${key}`, `${username}@127.0.0.1`] as const
    return this.#host.exec([...argv], { input: commands })
  }

  /** Runs commands of sftp after signing in with a password. */
  sftpWithPassword(username: string, password: string, commands: string): Promise<RunResult> {
    const given = options.filter((option) => !/BatchMode|IdentitiesOnly/.test(option))
    const argv = ['-oPubkeyAuthentication=no', '-oNumberOfPasswordPrompts=1', `${username}@127.0.0.1`]
    const env = { SSH_ASKPASS: '/root/askpass', SSH_ASKPASS_REQUIRE: 'force', ASKED: password }
    return this.#host.exec(['setsid', '--wait', 'sftp', ...given, ...argv], { input: commands, env })
  }

  /** Asks for a page of the host through the session of an account. */
  forward(username: string, key: string): Promise<RunResult> {
    const argv = [
      'ssh',
      ...options,
      '-W',
      '127.0.0.1:22',
      '-i',
      `/root/key-${key}`,
      `${username}@127.0.0.1`,
    ] as const
    return this.#host.exec([...argv], { timeoutMs: 60_000 })
  }

  /** Leaves a session open in which a command runs. */
  async stay(username: string, key: string, command: string): Promise<void> {
    const argv = ['ssh', ...options, '-i', `/root/key-${key}`, `${username}@127.0.0.1`, command]
    await this.#host.must(['systemd-run', '--quiet', '--collect', ...argv])
    await poll(`${command} to run`, 10_000, async () => ((await this.isOpen(command)) ? true : undefined))
  }

  /** True if a command runs in some session. */
  async isOpen(command: string): Promise<boolean> {
    return (await this.#host.exec(['pgrep', '--full', '--exact', command])).code === 0
  }
}
