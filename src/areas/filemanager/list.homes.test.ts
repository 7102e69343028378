import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { aliceUid, type FilesBench, openFilesBench } from './testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('the list of a folder', { skip }, () => {
  let bench: FilesBench
  const names = async (query: Readonly<Record<string, string>>) => {
    const { status, data, error } = await bench.get('list', query)
    return status === 200
      ? data.items.map(({ name }: { name: string }) => name)
      : [status, error.code, error.message]
  }

  before(async () => {
    bench = await openFilesBench()
    execFileSync('sh', ['-c', 'mkdir -p d/Zebra d/.hidden; touch d/apple d/Apples.txt d/zoo'], {
      cwd: bench.at(),
    })
    execFileSync('chown', ['-R', `${aliceUid}:${aliceUid}`, bench.at()])
  })
  after(() => bench.remove())

  it('has folders first on request', async () => {
    assert.deepEqual(await names({ path: 'd' }), ['Apples.txt', 'Zebra', 'apple', 'zoo'])
    assert.deepEqual(await names({ path: 'd', folders_first: 'true' }), [
      'Zebra',
      'Apples.txt',
      'apple',
      'zoo',
    ])
    assert.deepEqual(
      await names({ path: 'd', folders_first: 'true', sort: '-name', show_hidden: 'true', per_page: '3' }),
      ['Zebra', '.hidden', 'zoo'],
    )
  })

  it('is filtered by a case-insensitive part of the name, and counts the matches', async () => {
    assert.deepEqual(await names({ path: 'd', search: 'APPLE' }), ['Apples.txt', 'apple'])
    assert.deepEqual(await names({ path: 'd', search: 'hid' }), [])
    assert.equal((await bench.get('list', { path: 'd', search: 'z', per_page: '1' })).data.total, 2)
  })

  it('rejects an unknown option, a text that is too long, and a path that is not a folder', async () => {
    assert.match(
      String(await names({ path: 'd', folders_first: 'perhaps' })),
      /^400,bad_request,folders_first/,
    )
    assert.match(String(await names({ path: 'd', search: 'x'.repeat(201) })), /^400,bad_request,search/)
    assert.match(
      String(await names({ path: 'absent', search: 'x', folders_first: 'true' })),
      /^404,not_found/,
    )
    assert.match(String(await names({ path: 'd/zoo', folders_first: 'true' })), /^400,bad_request/)
    assert.match(String(await names({ username: 'bob', search: 'x' })), /^403,forbidden/)
  })
})
