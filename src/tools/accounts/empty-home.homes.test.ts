import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { asOwner, makeBench, skip } from '../../host/owner/testing/homes.ts'
import { emptyHome } from './empty-home.ts'

test(
  'removes everything of the owner, locked files and closed folders too, and leaves what is of others',
  { skip },
  async (t) => {
    const bench = makeBench()
    t.after(() => bench.remove())
    const { alice, owners } = bench
    const script =
      'echo x > letter; ln -s /etc link; mkdir -p deep/er .hidden; echo x > deep/er/.locked; mkdir -m 500 ro'
    asOwner(alice, 'sh', '-c', script)
    const owner = owners.of(alice)
    await owner.lock('deep/er/.locked', true)
    mkdirSync(join(alice.home, 'of-root'))
    writeFileSync(join(alice.home, 'of-root', 'file'), '')
    await emptyHome(owner, AbortSignal.timeout(60_000))
    assert.deepEqual(readdirSync(alice.home), ['of-root'])
  },
)
