import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHost } from '../../host/index.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { mariadb } from './index.ts'

const detect = (installed: Readonly<Record<string, string>>) => {
  const packages = scriptPackages(new Map(Object.entries(installed)))
  return mariadb.open(openHost({ run: scriptedRun(packages).run })).detect()
}

test('finds the server by its package, and the version that MariaDB calls it by', async () => {
  assert.deepEqual(await detect({ 'mariadb-server': '1:10.11.14-0+deb12u2' }), {
    present: true,
    version: '10.11.14',
    healthy: true,
    reason: null,
  })
})

test('says that it is not installed if only its programs were left behind', async () => {
  const found = await detect({ 'mariadb-server-core': '1:10.11.14-0+deb12u2' })
  assert.deepEqual([found.present, found.reason], [false, 'MariaDB is not installed'])
})
