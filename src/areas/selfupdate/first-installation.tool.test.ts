import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { beforeEach, afterEach, describe, it } from 'node:test'
import { statementOf } from './statement.ts'

const guide = readFileSync(new URL('../../../docs/guides/panel-updates.md', import.meta.url), 'utf8')
const [version, architecture] = ['1.2.0', 'arm64']
const name = `hostreeve-${version}-${architecture}.tar.gz`

describe('a first installation as the guide has it', () => {
  let folder: string
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')

  /** Writes the files of a release. */
  const publish = (about: object = {}) => {
    writeFileSync(`${folder}/program`, 'a program')
    execFileSync('tar', [
      '--create',
      '--gzip',
      `--file=${folder}/${name}`,
      `--directory=${folder}`,
      'program',
    ])
    const sha256 = createHash('sha256')
      .update(readFileSync(`${folder}/${name}`))
      .digest('hex')
    const statement = statementOf({ version, architecture, sha256, notes: 'Two\nlines', ...about })
    writeFileSync(`${folder}/${name}.statement`, statement)
    writeFileSync(`${folder}/${name}.signature`, sign(null, statement, privateKey))
  }
  beforeEach(() => {
    folder = mkdtempSync(`${tmpdir()}/hostreeve-install-`)
    publish()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Follows the guide below the folder; true if the archive was unpacked. */
  const install = (given = key) => {
    const block = /```text\n(FILE=.*?)```/s.exec(guide)?.[1] ?? assert.fail('the guide has no such block')
    const script = block.replaceAll('/opt/hostreeve', `${folder}/opt`)
    const env = { PATH: process.env['PATH'], VERSION: version, KEY: given }
    const { status } = spawnSync('sh', ['-c', script], {
      cwd: folder,
      env,
      stdio: 'ignore',
      timeout: 300_000,
    })
    assert.equal(status === 0, existsSync(`${folder}/opt/current/program`))
    return existsSync(`${folder}/opt`)
  }

  it('unpacks a release that is signed', () => assert.equal(install(), true))

  it('unpacks nothing that is signed by another key', () =>
    assert.equal(install(Buffer.alloc(32, 1).toString('base64')), false))

  it('unpacks no archive that was changed', () => {
    writeFileSync(`${folder}/${name}`, 'x', { flag: 'a' })
    assert.equal(install(), false)
  })

  for (const about of [{ version: '1.1.0' }, { architecture: 'x64' }, { sha256: '0'.repeat(64) }])
    it(`unpacks nothing for which ${Object.keys(about)[0]} is another one in what is signed`, () => {
      publish(about)
      assert.equal(install(), false)
    })
})
