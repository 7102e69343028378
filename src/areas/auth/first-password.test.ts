import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestPanel } from '../../../test/support/panel.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../host/files.ts'
import { firstPasswordFile, openFirstPassword, renderFirstPassword } from './first-password.ts'

const path = '/data/first-password'

proveStep<Files>('auth.remove-first-password', {
  machine: async (t) => {
    const files = openFiles(scratchRoot(t))
    await files.makeDirectory('/data')
    await files.write(path, renderFirstPassword('a@example.com', 'secret'))
    return files
  },
  open: (files, door) => openFirstPassword(door(files), '/data').remove,
  look: async (files) => ({ left: await files.list('/data') }),
  withoutHandEdit: 'the step is final',
  cases: { 'the file of a password': { args: {}, wanted: { left: [] } } },
})

test('the file of the first password goes when its user signs in, and not before', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'first-password-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const panel = await openTestPanel({ dataDir })
  t.after(() => panel.close())
  const { email, password } = await panel.person({ isAdmin: true })
  const other = await panel.person()
  const path = join(dataDir, firstPasswordFile)
  await panel.host.files.makeDirectory(dataDir)
  await panel.host.files.write(path, renderFirstPassword(email, password))
  const signIn = (body: object) => panel.request('POST', '/api/auth/login', { body })
  assert.equal((await signIn({ email, password: 'a wrong password' })).status, 401)
  assert.equal((await signIn(other)).status, 200)
  assert.match((await panel.host.files.read(path)) ?? '', new RegExp(password))
  assert.equal((await signIn({ email, password })).status, 200)
  assert.equal(await panel.host.files.read(path), undefined)
})
