import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'

const installer = new URL('../../deploy/install.sh', import.meta.url)

describe('the command that the installer writes', () => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-installed-`)
  after(() => rmSync(folder, { recursive: true }))
  before(() => {
    const [, text = ''] =
      /\/usr\/local\/bin\/hostreeve" <<'END'\n([^]*?\n)END\n/.exec(readFileSync(installer, 'utf8')) ?? []
    const command = text
      .replaceAll('/etc/hostreeve.env', `${folder}/hostreeve.env`)
      .replace(/^exec .*$/m, 'echo "$HOSTREEVE_DATA_DIR" "${HOSTREEVE_DATABASE_URL-none}"')
    writeFileSync(`${folder}/hostreeve`, command)
    writeFileSync(`${folder}/hostreeve.env`, "HOSTREEVE_DATABASE_URL='postgres://panel@db/panel'\n")
  })

  const run = (settings: Readonly<Record<string, string>>): string =>
    execFileSync('sh', [`${folder}/hostreeve`], {
      env: { PATH: process.env['PATH'], ...settings },
      encoding: 'utf8',
      timeout: 300_000,
    }).trimEnd()

  it('uses the store of the service for the panel of the service', () => {
    const url = 'postgres://panel@db/panel'
    assert.equal(run({}), `/var/lib/hostreeve ${url}`)
    for (const dir of ['/var/lib/hostreeve', '/var/lib/hostreeve/'])
      assert.equal(run({ HOSTREEVE_DATA_DIR: dir }), `${dir} ${url}`)
    assert.equal(
      run({ HOSTREEVE_DATABASE_URL: 'postgres://other/panel' }).split(' ')[1],
      'postgres://other/panel',
    )
  })

  it('does not use it for another panel', () => {
    assert.equal(run({ HOSTREEVE_DATA_DIR: '/srv/panel' }), '/srv/panel none')
  })
})
