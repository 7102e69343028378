import assert from 'node:assert/strict'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { openFiles } from '../../host/files.ts'
import { openRealAccounts } from '../../host/testing/real-accounts.ts'
import { createAccount } from './create-account.ts'

test('undo removes a new account with its home, unless the home was used', async (context) => {
  const opened = await openRealAccounts(context)
  if (opened === undefined) return
  const { host, root } = opened
  const kind = createAccount(host)
  for (const file of [undefined, 'work.txt']) {
    const args = { username: file === undefined ? 'cat' : 'dan' }
    const before = await kind.observe(args)
    await kind.act(args, stepRun(before))
    assert.equal(await kind.check(args, before), 'wanted')
    const { uid, gid } = (await host.accounts.find(args.username))!
    await chown(join(root, 'home', args.username), uid, gid) // as useradd does
    assert.equal(await kind.check(args, before), 'other')
    if (file !== undefined) await writeFile(join(root, 'home', args.username, file), 'mine')
    await kind.undo(args, before)
    await kind.undo(args, before)
    assert.equal(await kind.check(args, before), 'before')
    assert.equal((await openFiles(root).facts(`/home/${args.username}`)) !== undefined, file !== undefined)
  }
})
