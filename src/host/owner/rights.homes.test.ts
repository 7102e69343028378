import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { asOwner, makeBench, skip, type Bench } from './testing/homes.ts'

describe('a replaced file', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())
  const own = () => bench.owners.of(bench.alice)
  const make = 'printf old >f; chmod 600 f; setfacl -m u:12345:r f; setfattr -n user.note -v kept f'
  const described = (name: string) =>
    execFileSync('sh', ['-c', 'stat -c %a "$0"; getfacl -cn "$0"; getfattr -d "$0"', name], {
      cwd: bench.alice.home,
      encoding: 'utf8',
    })

  for (const [way, replace] of [
    ['written', async () => void (await own().write('f', Buffer.from('new')))],
    [
      'uploaded',
      async () => {
        const parts = own().uploads.of('f1', 'f')
        await parts.append(Readable.from([Buffer.from('new')]), { offset: 0, maxBytes: 100 })
        await parts.place({ ifAbsent: false })
      },
    ],
  ] as const)
    it(`keeps its mode, its access control list and its attributes when it is ${way}`, async () => {
      asOwner(bench.alice, 'sh', '-c', `rm -f f; ${make}`)
      const before = described('f')
      assert.match(before, /^640\n[^]*user:12345:r--\ngroup::---\nmask::r--[^]*user\.note="kept"/)
      await replace()
      assert.equal(asOwner(bench.alice, 'cat', 'f'), 'new')
      assert.equal(described('f'), before)
    })

  it('keeps its mode even if its owner cannot read it', async () => {
    asOwner(bench.alice, 'sh', '-c', 'rm -f f; printf old >f; chmod 200 f')
    await own().write('f', Buffer.from('new'))
    assert.match(described('f'), /^200\n/)
  })
})
