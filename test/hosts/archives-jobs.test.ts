import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { must } from './harness/outer.ts'
import { described, Manuals, pagesOfPython } from './story/manuals.ts'

describe('the manuals of Python and Linux in the home of an owner', () => {
  let manuals: Manuals

  before(async () => {
    manuals = await Manuals.unpack('manuals', ['python', 'linux'])
  })
  after(() => manuals?.host.remove())

  it('come out of an archive of many files as dpkg unpacks them', () => manuals.assertExtracted('linux'))

  it('are kept in the history where another edition is unpacked over them, and come back from there', async () => {
    const get = (verb: string, query: object) =>
      manuals.ada.signedIn.must(
        'GET',
        `/api/filemanager/${verb}?${new URLSearchParams({ username: 'ada', ...query })}`,
      )
    await manuals.post('copy', { src_path: `python/${pagesOfPython}/c-api`, dst_path: 'shelf' })
    const before = await described(manuals.home('shelf'))
    const names = (await must(['find', manuals.home('shelf'), '-type', 'f', '-printf', '%P\\n'])).stdout
      .split('\n')
      .filter((name) => name !== '')
    await manuals.asAda(
      'sh',
      '-c',
      'cd /home/ada && cp -a shelf edition && find edition -type f -exec sed -i "1s/^/second edition /" {} + && tar -cf edition.tar -C edition .',
    )
    const plan = await manuals.ada.signedIn.must('POST', '/api/filemanager/extract?plan=1', {
      username: 'ada',
      archive_path: 'edition.tar',
      dst_path: 'shelf',
    })
    assert.match(plan.steps[0].details[1], new RegExp(`^Replaces ${names.length} files: `))
    assert.deepEqual(await described(manuals.home('shelf')), before)
    const { replaced, not_kept } = await manuals.post('extract', {
      archive_path: 'edition.tar',
      dst_path: 'shelf',
    })
    assert.deepEqual([replaced, not_kept], [names.length, 0])
    assert.deepEqual(await described(manuals.home('shelf')), await described(manuals.home('edition')))
    for (const name of names) {
      const [version] = (await get('history', { path: `shelf/${name}` })).items
      assert.deepEqual([version.replaced_through, version.is_kept], ['extract', true], name)
      await manuals.post('history/restore', { id: version.id })
    }
    await manuals.asAda('diff', '-r', '/home/ada/shelf', `/home/ada/python/${pagesOfPython}/c-api`)
    assert.deepEqual(
      (await manuals.post('extract', { archive_path: 'edition.tar', dst_path: 'edition' })).replaced,
      0,
    )
  })

  it('come back through jobs that tell how far they are', async () => {
    const follow = async (verb: string, body: object) => {
      const events = await manuals.ada.signedIn.followJob((await manuals.post(verb, body)).job_id)
      assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-3)))
      return events.filter(({ type, percent }) => type === 'progress' && Number(percent) > 0).length
    }
    const seen = [
      await follow('compress/job', { paths: ['linux'], archive_name: 'linux.tar.zst' }),
      await follow('extract/job', { archive_path: 'linux.tar.zst', dst_path: 'back' }),
    ]
    assert.ok(seen[0]! > 0 && seen[1]! > 0, `progress was told ${seen.join(' and ')} times`)
    assert.deepEqual(await described(manuals.home('back/linux')), await described(manuals.home('linux')))
  })
})
