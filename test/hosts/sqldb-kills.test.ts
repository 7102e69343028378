import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { killWhile } from './story/kill.ts'
import { MariadbInstallation, moments } from './story/mariadb-installation.ts'

type Moment = keyof typeof moments
const all: readonly Moment[] = ['unpacks a package', 'unpacks further packages', 'sets up the server']
const isLong = process.env['HOSTREEVE_LONG'] !== undefined
const forDpkg: readonly Moment[] = isLong ? all : ['unpacks a package', 'sets up the server']
const forPanel: readonly Moment[] = isLong ? all : ['unpacks a package']

describe('the installation of MariaDB, when dpkg or the panel is killed', () => {
  let mariadb: MariadbInstallation

  before(async () => {
    mariadb = await MariadbInstallation.prepare('sqldbkills')
  })
  after(() => mariadb?.host.remove())

  for (const title of forDpkg)
    it(`is taken back when dpkg is killed while it ${title}`, async () => {
      const asked = mariadb.install()
      await mariadb.untilThere(moments[title])
      await mariadb.host.must(['pkill', '-KILL', '-x', 'dpkg'])
      const { status, code, message } = await asked
      assert.deepEqual([status, code], [500, 'install_failed'], message)
      assert.equal((await mariadb.lastEntry()).status, 'restored', (await mariadb.lastEntry()).message)
      assert.equal(await mariadb.assertWhole(), 'removed')
    })

  for (const title of forPanel)
    it(`is whole or taken back when the panel is killed while dpkg ${title}, and the activity says which`, async (t) => {
      const isAnswered = await killWhile(
        mariadb.panel,
        () => mariadb.install(),
        () => mariadb.isThere(moments[title]),
      )
      if (isAnswered) t.diagnostic('missed: it answered before it was killed')
      await mariadb.untilEnded()
      const { status, message } = await mariadb.lastEntry()
      assert.equal(status, (await mariadb.assertWhole()) === 'installed' ? 'ok' : 'restored', message)
    })
})
