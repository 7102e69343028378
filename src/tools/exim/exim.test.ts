import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scratchRoot } from '../../../test/support/step-suite.ts'
import { openHost } from '../../host/index.ts'
import { missing, on, type Script, scriptedRun } from '../../host/testing/scripted-run.ts'
import { exim } from './index.ts'
import { configPath, ownConfigPath } from './layout.ts'

const open = (root: string, script: Script) => exim.open(openHost({ root, run: scriptedRun(script).run }))
const installed = on('exim4 --version', { stdout: 'Exim version 4.96 #2 built 07-Jul-2024\n' })

test('finds the program and its version, and why the panel cannot configure it', async (t) => {
  const root = scratchRoot(t)
  const { files } = openHost({ root })
  const reason = async () => (await open(root, installed).detect()).reason
  for (const directory of ['/usr/sbin', '/etc/exim4']) await files.makeDirectory(directory)
  assert.match((await reason()) ?? '', /not installed from the packages of Debian/)
  await files.write('/usr/sbin/update-exim4.conf', '')
  assert.match((await reason()) ?? '', /reconfigure the package/)
  await files.write(configPath, '')
  assert.deepEqual(await open(root, installed).detect(), {
    present: true,
    version: '4.96',
    healthy: true,
    reason: null,
  })
  await files.write(ownConfigPath, '')
  assert.match((await reason()) ?? '', /configured by \/etc\/exim4\/exim4\.conf/)
})

test('says that the program is not installed', async (t) => {
  assert.equal((await open(scratchRoot(t), missing('exim4')).detect()).reason, 'exim4 is not installed')
})
