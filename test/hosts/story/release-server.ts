import { execFile } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { statementOf } from '../../../src/areas/selfupdate/statement.ts'
import type { Host } from '../harness/index.ts'
import { checkout } from './guide.ts'
import { untilListening } from './until-listening.ts'

/** Beside it, the website is fetched all the while. */
const execute = promisify(execFile)
const folder = '/srv/releases'
const port = 8099

/** What is wrong with a release. */
export interface Fault {
  /** Is run by the new version instead of the command of this name, such as `serve`. */
  readonly command?: { readonly name: string; readonly instead: string }
  readonly hasWrongSignature?: boolean
  readonly architecture?: string
  /** Changes the unpacked release before it is packed. */
  readonly alter?: (staged: string) => void
}

/** Releases of this checkout under other versions, served on the loopback address of a host. */
export class ReleaseServer {
  readonly #host: Host
  readonly #key = generateKeyPairSync('ed25519')
  readonly url = `http://127.0.0.1:${port}/index.json`

  private constructor(host: Host) {
    this.#host = host
  }

  static async open(host: Host): Promise<ReleaseServer> {
    mkdirSync(join(host.rootPath, folder), { recursive: true })
    const program = `require('http').createServer((ask, answer) => require('fs').createReadStream('${folder}' + ask.url).on('error', () => answer.writeHead(404).end()).pipe(answer)).listen(${port}, '127.0.0.1')`
    const node = '/opt/hostreeve/node_modules/.bin/node'
    await host.must(['systemd-run', '--quiet', '--unit=releases', node, '-e', program])
    await untilListening(host, port)
    return new ReleaseServer(host)
  }

  get publicKey(): string {
    const { x = '' } = createPublicKey(this.#key.privateKey).export({ format: 'jwk' })
    return Buffer.from(x, 'base64url').toString('base64')
  }

  /** Makes this checkout a version below an installation folder. */
  async install(target: string, version: string): Promise<void> {
    const versions = join(this.#host.rootPath, target, 'versions')
    mkdirSync(versions, { recursive: true })
    renameSync(await this.#stage(version, {}), join(versions, version))
  }

  /** Offers one release, and no other. */
  async publish(version: string, fault: Fault = {}): Promise<void> {
    const staged = await this.#stage(version, fault)
    const name = `${version}.tar.gz`
    const archive = join(this.#host.rootPath, folder, name)
    await execute('tar', [
      '--create',
      '--use-compress-program=gzip -1',
      '--format=ustar',
      `--file=${archive}`,
      `--directory=${staged}`,
      '.',
    ])
    rmSync(staged, { recursive: true })
    const sha256 = createHash('sha256')
      .update(await readFile(archive))
      .digest('hex')
    const { architecture = process.arch, hasWrongSignature = false } = fault
    const release = { version, architecture, sha256, notes: `Notes of ${version}` }
    const statement = statementOf(hasWrongSignature ? { ...release, version: '0.0.1' } : release)
    const signature = sign(null, statement, this.#key.privateKey).toString('base64')
    const index = JSON.stringify([{ ...release, url: name, signature }])
    writeFileSync(join(this.#host.rootPath, folder, 'index.json'), index)
  }

  async #stage(version: string, { command, alter }: Fault): Promise<string> {
    const staged = join(this.#host.rootPath, folder, `staged-${version}`)
    await execute('sh', [`${checkout}/deploy/stage.sh`, checkout, staged])
    const about = JSON.parse(readFileSync(`${staged}/package.json`, 'utf8'))
    writeFileSync(`${staged}/package.json`, JSON.stringify({ ...about, version, architecture: process.arch }))
    if (command !== undefined) {
      cpSync(`${staged}/dist/hostreeve.mjs`, `${staged}/dist/real.mjs`)
      const { name, instead } = command
      const text = `if (process.argv[2] === '${name}') { ${instead} } else await import('./real.mjs')\n`
      writeFileSync(`${staged}/dist/hostreeve.mjs`, text)
    }
    alter?.(staged)
    return staged
  }
}
