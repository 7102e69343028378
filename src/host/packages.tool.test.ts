import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPackages } from './packages.ts'
import { run } from './run.ts'

test('reads the version of a package of this machine', async (context) => {
  const packages = openPackages(run)
  const found = await packages.detect()
  if (found.kind !== 'apt') return context.skip(found.reason ?? undefined)
  assert.match((await packages.version('base-files')) ?? '', /^\d/)
  assert.equal(await packages.version('no-such-package'), undefined)
})
