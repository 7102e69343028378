import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type FilesBench, openFilesBench } from './testing/files-bench.ts'
import { until } from '../../../test/support/until.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('an archive packed by a job', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
    await bench.post('mkdir', { path: 'site' })
    await bench.post('write', { path: 'site/index.html', content: '<h1>' })
  })
  after(() => bench.remove())

  const packed = async (dst_path: string) => {
    const { status, data } = await bench.post('compress/job', {
      paths: ['site/index.html'],
      archive_name: 'page.tar.gz',
      dst_path,
    })
    assert.equal(status, 202)
    return until(
      async () => {
        const job = (await bench.panel.request('GET', `/api/jobs/${data.job_id}`, { as: bench.alice })).data
        return !['queued', 'running'].includes(job.state) && job
      },
      { everyMs: 20 },
    )
  }

  it('is moved to the named folder, with a number before the file extension if the name is taken', async () => {
    assert.equal((await packed('site')).result.archive, 'site/page.tar.gz')
    assert.equal((await packed('site/')).result.archive, 'site/page (2).tar.gz')
    assert.deepEqual(readdirSync(bench.at('site')).toSorted(), [
      'index.html',
      'page (2).tar.gz',
      'page.tar.gz',
    ])
    assert.ok(!existsSync(bench.at('page.tar.gz')))
  })

  it('remains at the top of the home if the folder does not exist, and the job reports it', async () => {
    const { state, error } = await packed('absent')
    assert.equal(state, 'failed')
    assert.match(error, /^dst_path: absent.*; the archive remains at the top of the home as page\.tar\.gz$/)
    assert.ok(existsSync(bench.at('page.tar.gz')))
  })

  it('is refused for a folder outside the home', async () => {
    const { status, error } = await bench.post('compress/job', {
      paths: ['site'],
      archive_name: 'x.zip',
      dst_path: '../x',
    })
    assert.deepEqual([status, error.code, error.message.split(':')[0]], [400, 'bad_request', 'dst_path'])
  })
})
