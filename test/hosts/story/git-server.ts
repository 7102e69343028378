import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkoutPathInHost, type Host } from '../harness/index.ts'
import { untilListening } from './until-listening.ts'

/** The token of `ann` for access to the server over http. */
export const token = 'the token of ann'
const root = '/srv/git'
const asGit = ['runuser', '-u', 'git', '--'] as const
const author = {
  GIT_AUTHOR_NAME: 'S',
  GIT_AUTHOR_EMAIL: 's@x',
  GIT_COMMITTER_NAME: 'S',
  GIT_COMMITTER_EMAIL: 's@x',
  HOME: root,
}

/** A host that serves the repository shop.git over ssh, to callers with the key, and over http, to ann. */
export class GitServer {
  readonly host: Host
  readonly address: string
  /** The private key for access over ssh. */
  readonly privateKey: string

  private constructor(host: Host, address: string, privateKey: string) {
    this.host = host
    this.address = address
    this.privateKey = privateKey
  }

  static async start(host: Host, address: string): Promise<GitServer> {
    await host.must(['useradd', '--create-home', '--home-dir', root, '--shell', '/usr/bin/git-shell', 'git'])
    await host.must(['passwd', '--delete', 'git']) // a locked account may not sign in by key either
    for (const name of ['key', 'other'])
      await host.must(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', `/root/${name}`])
    await host.must(['install', '-d', '-o', 'git', '-m', '0700', `${root}/.ssh`])
    await host.must(['install', '-o', 'git', '-m', '0600', '/root/key.pub', `${root}/.ssh/authorized_keys`])
    await host.must(['ssh-keygen', '-A'])
    await writeFile(join(host.rootPath, 'etc/ssh/sshd_config.d/ports.conf'), 'Port 22\nPort 2222\n')
    await host.must(['systemctl', 'start', 'ssh'])
    await host.must([...asGit, 'git', 'init', '-q', '--bare', '-b', 'main', `${root}/shop.git`])
    const server = new GitServer(host, address, await readFile(join(host.rootPath, 'root/key'), 'utf8'))
    await server.commit('index.html', '<h1>shop</h1>\n')
    const certificate = [
      '-subj',
      `/CN=${address}`,
      '-addext',
      `subjectAltName=IP:${address}`,
      '-keyout',
      `${root}/tls.key`,
      '-out',
      `${root}/tls.crt`,
    ]
    await host.must([
      ...asGit,
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      ...certificate,
    ])
    const node = `${checkoutPathInHost}/node_modules/.bin/node`
    const argv = [node, `${checkoutPathInHost}/test/hosts/story/git-server.main.ts`, root, address]
    await host.must(['systemd-run', '--quiet', '--unit=git-http', '--uid=git', '--', ...argv])
    await untilListening(host, 8090, address)
    return server
  }

  get ssh(): string {
    return `git@${this.address}:shop.git`
  }

  /** The same on another port, which the address contains. */
  get sshOnPort(): string {
    return `ssh://git@${this.address}:2222${root}/shop.git`
  }

  get https(): string {
    return `https://${this.address}:8443/shop.git`
  }

  /** The self-signed certificate. */
  certificate(): Promise<string> {
    return readFile(join(this.host.rootPath, root, 'tls.crt'), 'utf8')
  }

  get http(): string {
    return `http://${this.address}:8090/shop.git`
  }

  /** A key that the server does not know. */
  strangerKey(): Promise<string> {
    return readFile(join(this.host.rootPath, 'root/other'), 'utf8')
  }

  /** Commits one file on the server itself. */
  async commit(path: string, content: string): Promise<void> {
    const work = `${root}/work`
    const git = (...args: string[]) => this.host.must([...asGit, 'git', ...args], { env: author })
    await this.host.must(['rm', '-rf', work])
    await git('clone', '-q', `${root}/shop.git`, work)
    await this.host.must([...asGit, 'tee', `${work}/${path}`], { input: content })
    await git('-C', work, 'add', '-A')
    await git('-C', work, 'commit', '-q', '-m', `Change ${path}`)
    await git('-C', work, 'push', '-q', 'origin', 'HEAD:main')
  }

  async lastSubject(): Promise<string> {
    return (
      await this.host.must([
        'git',
        '-c',
        'safe.directory=*',
        '-C',
        `${root}/shop.git`,
        'log',
        '-1',
        '--format=%s',
        'main',
      ])
    ).stdout.trim()
  }

  async fingerprint(): Promise<string> {
    return (
      (await this.host.must(['ssh-keygen', '-l', '-f', '/etc/ssh/ssh_host_ed25519_key.pub'])).stdout.split(
        ' ',
      )[1] ?? ''
    )
  }

  /** Gives the server other host keys, as after a new installation. */
  async changeHostKeys(): Promise<void> {
    await this.host.must(['find', '/etc/ssh', '-name', 'ssh_host_*', '-delete'])
    await this.host.must(['ssh-keygen', '-A'])
    await this.host.must(['systemctl', 'restart', 'ssh'])
  }

  /** Delays answers over http until they are released. */
  async hold(isHeld: boolean): Promise<void> {
    await this.host.must(isHeld ? ['touch', `${root}/slow`] : ['rm', '-f', `${root}/slow`])
  }
}
