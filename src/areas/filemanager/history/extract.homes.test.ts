import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { aliceUid, type FilesBench, openFilesBench } from '../testing/files-bench.ts'
import { until } from '../../../../test/support/until.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('the history of files that an archive replaces', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())
  const sh = (script: string) =>
    execFileSync(
      'setpriv',
      [`--reuid=${aliceUid}`, `--regid=${aliceUid}`, '--clear-groups', 'sh', '-ec', script],
      { cwd: bench.at() },
    )
  const pack = (name: string, script: string) =>
    sh(`rm -rf ${name}; mkdir ${name}; cd ${name}; ${script}; tar -cf ../${name}.tar .`)
  const extract = (name: string, dest: string) =>
    bench.post('extract', { archive_path: `${name}.tar`, dst_path: dest })
  const versions = async (path: string) => (await bench.get('history', { path })).data.items
  const held = async (path: string) => {
    const texts = (await versions(path)).map(
      async ({ id }: { id: number }) => (await bench.get('history/content', { id: String(id) })).data.content,
    )
    return Promise.all(texts)
  }
  const read = (path: string) => readFileSync(bench.at(path), 'utf8')

  it('has the content of each file, with the user and the operation that replaced it', async () => {
    await bench.post('mkdir', { path: 'site/d', recursive: true })
    for (const path of ['site/a', 'site/d/b', 'site/same'])
      await bench.post('write', { path, content: `old ${path}` })
    pack('first', 'mkdir d; printf new >a; printf new >d/b; printf "old site/same" >same; printf new >fresh')
    const { status, data } = await extract('first', './site/')
    assert.deepEqual([status, data], [200, { files: 6, size_bytes: 22, replaced: 2, not_kept: 0 }])
    assert.deepEqual([await held('site/a'), await held('site/d/b')], [['old site/a'], ['old site/d/b']])
    assert.deepEqual(
      [read('site/a'), await versions('site/same'), await versions('site/fresh')],
      ['new', [], []],
    )
    const [{ written_through, written_by, replaced_through, replaced_by }] = await versions('site/a')
    const by = { id: bench.alice.id, email: bench.alice.email }
    assert.deepEqual(
      [written_through, written_by, replaced_through, replaced_by],
      ['write', by, 'extract', by],
    )
    await bench.post('write', { path: 'site/a', content: 'newer' })
    assert.deepEqual(
      [(await versions('site/a'))[0].written_through, (await versions('site/a'))[0].written_by],
      ['extract', by],
    )
  })

  it('has the files replaced by a job, and restores one of them', async () => {
    sh('mkdir job; printf old >job/f')
    pack('second', 'printf new >f')
    const { job_id } = (await bench.post('extract/job', { archive_path: 'second.tar', dst_path: 'job' })).data
    await until(() => read('job/f') === 'new')
    const job = async () =>
      (await bench.panel.request('GET', `/api/jobs/${job_id}`, { as: bench.alice })).data
    await until(async () => (await job()).state !== 'running')
    const { state, result } = await job()
    const [{ id, replaced_by }] = await versions('job/f')
    assert.deepEqual(
      [state, result, replaced_by.id],
      ['succeeded', { files: 2, size_bytes: 3, replaced: 1, not_kept: 0 }, bench.alice.id],
    )
    assert.deepEqual([(await bench.post('history/restore', { id })).status, read('job/f')], [200, 'old'])
  })

  it('has no versions of unchanged files if the archive conflicts with existing entries', async () => {
    sh('mkdir clash; printf old >clash/a; printf file >clash/folder')
    pack('third', 'printf new >a; mkdir folder; printf x >folder/x')
    const { status, error } = await extract('third', 'clash')
    assert.deepEqual([status, error.code], [409, 'already_exists'])
    assert.deepEqual([read('clash/a'), await versions('clash/a')], ['old', []])
  })

  it('has exactly the replaced files if the extraction fails midway', async () => {
    sh('mkdir part; for n in 1 2 3 4; do mkdir part/$n; printf old >part/$n/f; done')
    execFileSync('chown', ['root:root', bench.at('part/3')]) // the owner cannot replace anything in it
    pack('fourth', 'for n in 1 2 3 4; do mkdir $n; printf new >$n/f; done')
    assert.equal((await extract('fourth', 'part')).status, 403)
    assert.deepEqual([read('part/3/f'), await versions('part/3/f')], ['old', []])
    for (const n of [1, 2, 4])
      assert.deepEqual(await held(`part/${n}/f`), read(`part/${n}/f`) === 'new' ? ['old'] : [])
    execFileSync('chown', [`${aliceUid}:${aliceUid}`, bench.at('part/3')])
    assert.deepEqual([(await extract('fourth', 'part')).status, await held('part/3/f')], [200, ['old']])
  })

  it('has an entry without content for a file that is too large or that its owner may not read', async () => {
    mkdirSync(bench.at('odd'))
    execFileSync('chown', [`${aliceUid}`, bench.at('odd')])
    writeFileSync(bench.at('odd/large'), Buffer.alloc(8 * 1024 * 1024 + 1))
    writeFileSync(bench.at('odd/secret'), 'of root', { mode: 0o600 })
    pack('fifth', 'printf new >large; printf new >secret')
    assert.deepEqual((await extract('fifth', 'odd')).data.replaced, 2)
    const why = async (path: string) =>
      (await versions(path)).map(({ not_kept }: { not_kept: string }) => not_kept)
    assert.deepEqual([await why('odd/large'), await why('odd/secret')], [['too_large'], ['unreadable']])
  })

  it('allows two archives to replace the same files concurrently', async () => {
    sh('mkdir twice; for n in 1 2 3 4 5; do printf old >twice/$n; done')
    pack('one', 'for n in 1 2 3 4 5; do printf one >$n; done')
    pack('two', 'for n in 5 4 3 2 1; do printf two >$n; done')
    const answers = await Promise.all([extract('one', 'twice'), extract('two', 'twice/.')])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    for (const n of [1, 2, 3, 4, 5])
      assert.deepEqual([...(await held(`twice/${n}`)), read(`twice/${n}`)].toSorted(), ['old', 'one', 'two'])
  })

  it('preserves a write to an identical file made while other files were kept', async () => {
    sh('mkdir busy; for n in $(seq 150); do echo old $n >busy/$n; done; printf archived >busy/same')
    pack('seventh', 'for n in $(seq 150); do echo new >$n; done; printf archived >same')
    const extracting = extract('seventh', 'busy')
    await until(async () => (await versions('busy/1')).length > 0)
    assert.equal((await bench.post('write', { path: 'busy/same', content: 'an hour of work' })).status, 200)
    assert.deepEqual(
      [(await extracting).data.replaced, read('busy/same'), read('busy/150')],
      [150, 'an hour of work', 'new\n'],
    )
  })
})
