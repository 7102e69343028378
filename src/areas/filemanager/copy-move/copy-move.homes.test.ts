import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type FilesBench, openFilesBench } from '../testing/files-bench.ts'
import { until } from '../../../../test/support/until.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('the file manager copies and moves in jobs', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())
  beforeEach(() => execFileSync('find', [bench.at(), '-mindepth', '1', '-delete']))

  const write = (path: string, content: string) =>
    bench.post('write', { path, content, create_parents: true })
  const put = (files: Readonly<Record<string, string>>) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(bench.at(path, '..'), { recursive: true })
      execFileSync('sh', ['-c', 'printf %s "$1" > "$2"', 'sh', content, bench.at(path)])
    }
    execFileSync('chown', ['-R', '--reference', bench.at(), bench.at()])
  }
  const stateOf = async (id: number) =>
    (await bench.panel.request('GET', `/api/jobs/${id}`, { as: bench.alice })).data
  const jobWhere = (id: number, isTrue: (job: any) => boolean) =>
    until(
      async () => {
        const found = await stateOf(id)
        return isTrue(found) && found
      },
      { limitMs: 60_000, everyMs: 20 },
    )
  const ended = async (verb: 'copy' | 'move', places: readonly object[]) => {
    const { status, data } = await bench.post(`${verb}/job`, { places })
    assert.equal(status, 202)
    return jobWhere(data.job_id, ({ state }) => !['queued', 'running'].includes(state))
  }
  /** The outcomes of a job's change in the activity. */
  const recorded = async (id: number) => {
    const entries = await bench.panel.store.db
      .selectFrom('activity')
      .innerJoin('changes', 'changes.id', 'activity.change_id')
      .select('activity.status')
      .where('changes.job_id', '=', id)
      .execute()
    return entries.map(({ status }) => status)
  }
  const read = (path: string) => readFileSync(bench.at(path), 'utf8')

  it('copies and moves many entries to exactly the named destinations', async () => {
    put({ 'a/one': '1', 'a/two': '2', b: 'b', 'to/x': '' })
    const copied = await ended('copy', [
      { src_path: 'a', dst_path: 'to/a' },
      { src_path: 'b', dst_path: 'to/c' },
    ])
    assert.deepEqual([copied.state, copied.result], ['succeeded', { placed: 2 }])
    assert.deepEqual([read('to/a/two'), read('to/c'), read('a/one')], ['2', 'b', '1'])
    assert.equal((await ended('move', [{ src_path: 'a', dst_path: 'to/d' }])).state, 'succeeded')
    assert.deepEqual([existsSync(bench.at('a')), read('to/d/one')], [false, '1'])
  })

  it('merges as much as possible into an existing folder, and names the entries that failed', async () => {
    const clash = {
      'a/1': 'new',
      'a/m/in': 'x',
      'a/n': 'x',
      'a/z': 'new',
      'to/1': 'old',
      'to/m': 'a file',
      'to/n/in': 'a folder',
    }
    for (const verb of ['copy', 'move'] as const) {
      execFileSync('find', [bench.at(), '-mindepth', '1', '-delete'])
      put(clash)
      if (verb === 'copy') execFileSync('mkfifo', [bench.at('a/b-pipe')])
      execFileSync('chown', ['-R', '--reference', bench.at(), bench.at()])
      const { state, message } = await ended(verb, [{ src_path: 'a', dst_path: 'to', overwrite: true }])
      assert.equal(state, 'failed')
      assert.match(message, /^2 entries failed: to\/m: .*; to\/n: /)
      assert.deepEqual(
        [read('to/1'), read('to/z'), read('to/m'), readdirSync(bench.at('to'))],
        ['new', 'new', 'a file', ['1', 'm', 'n', 'z']],
      )
      assert.deepEqual(
        readdirSync(bench.at('a')),
        verb === 'move' ? ['m', 'n'] : ['1', 'b-pipe', 'm', 'n', 'z'],
      )
    }
  })

  it('accepts names that are not UTF-8', async () => {
    execFileSync('sh', ['-c', 'mkdir to; printf x > "$(printf "b\\344r")"; chown -R --reference=. .'], {
      cwd: bench.at(),
    })
    const [from, to] = [
      Buffer.from('b\u00e4r', 'latin1').toString('base64'),
      Buffer.from('to/b\u00e4r', 'latin1').toString('base64'),
    ]
    assert.equal((await ended('copy', [{ src_path_b64: from, dst_path_b64: to }])).state, 'succeeded')
    assert.deepEqual(readdirSync(bench.at('to'), { encoding: 'latin1' }), ['b\u00e4r'])
  })

  for (const verb of ['copy', 'move'] as const)
    it(`merges a folder into an existing one if ${verb} may replace, and the history keeps the replaced files`, async () => {
      put({
        'from/site/index': 'new',
        'from/site/deep/more': 'more',
        'from/site/fresh/f': 'f',
        'site/deep/old': 'old',
      })
      await write('site/index', `old of ${verb}`)
      const place = { src_path: 'from/site', dst_path: 'site' }
      const refused = await ended(verb, [place])
      assert.deepEqual([refused.state, read('site/index')], ['failed', `old of ${verb}`])
      assert.match(refused.message, /^dst_path: site\b/)
      const joined = await ended(verb, [{ ...place, overwrite: true }])
      assert.equal(joined.state, 'succeeded', joined.message)
      assert.deepEqual(
        [read('site/index'), read('site/deep/old'), read('site/deep/more'), read('site/fresh/f')],
        ['new', 'old', 'more', 'f'],
      )
      assert.ok(!existsSync(bench.at('site/site')))
      assert.equal(existsSync(bench.at('from/site')), verb === 'copy')
      const { data } = await bench.get('history', { path: 'site/index' })
      assert.equal(data.items[0].replaced_through, verb)
    })

  it('transfers the other entries if one fails, and names that one at the end', async () => {
    put({ a: 'a', b: 'b', 'to/a': 'standing' })
    const { id, state, error } = await ended('copy', [
      { src_path: 'a', dst_path: 'to/a' },
      { src_path: 'absent', dst_path: 'to/absent' },
      { src_path: 'b', dst_path: 'to/b' },
    ])
    assert.deepEqual([state, read('to/a'), read('to/b')], ['failed', 'standing', 'b'])
    assert.match(error, /^1 of 3 done\. Failed: to\/a.*; absent/)
    assert.deepEqual(await recorded(id), ['failed'])
    const none = await ended('copy', [{ src_path: 'absent', dst_path: 'to/absent' }])
    assert.deepEqual(await recorded(none.id), ['restored'])
    const all = await ended('move', [{ src_path: 'a', dst_path: 'moved' }])
    assert.deepEqual(await recorded(all.id), ['ok'])
  })

  it('shows its progress, is listed while it runs, and leaves nothing incomplete when it is cancelled', async () => {
    execFileSync(
      'sh',
      ['-c', 'mkdir big; head -c 1500000000 /dev/zero | tr "\\0" x > big/file; chown -R --reference=. .'],
      { cwd: bench.at() },
    )
    const places = Array.from({ length: 8 }, (_, at) => ({ src_path: 'big', dst_path: `copy-${at}` }))
    const id = (await bench.post('copy/job', { places })).data.job_id
    const { message } = await jobWhere(id, ({ percent }) => percent > 0)
    assert.match(message, /^[1-8] of 8: big$/)
    assert.deepEqual((await bench.get('jobs')).data.items, [
      { job_id: id, verb: 'copy', name: 'big', count: 8 },
    ])
    assert.equal(
      (await bench.panel.request('POST', `/api/jobs/${id}/cancel`, { as: bench.alice })).status,
      200,
    )
    assert.equal(
      (await jobWhere(id, ({ state }) => !['queued', 'running'].includes(state))).state,
      'cancelled',
    )
    assert.deepEqual(
      readdirSync(bench.at()).filter((name) => name.startsWith('.hostreeve-tmp')),
      [],
    )
    assert.ok(!existsSync(bench.at('copy-7')))
    assert.deepEqual((await bench.get('jobs')).data.items, [])
  })

  it('lists the jobs of other users only for superusers, and only for the requested files', async () => {
    const bob = { ...bench.alice, ...(await bench.panel.person({ permissions: ['websites_management'] })) }
    assert.equal(
      (await bench.panel.request('GET', '/api/filemanager/jobs?username=alice', { as: bob })).status,
      403,
    )
    assert.equal((await bench.panel.request('GET', '/api/filemanager/jobs', { as: bench.alice })).status, 400)
  })

  it('rejects invalid paths, the home itself, and the files of other users', async () => {
    const good = { src_path: 'a', dst_path: 'b' }
    for (const places of [
      [],
      'a',
      [{ src_path: 'a' }],
      [{ ...good, src_path: '' }],
      [{ ...good, dst_path: '../x' }],
      [{ ...good, dst_path: '/' }],
    ])
      assert.equal((await bench.post('copy/job', { places })).status, 400, JSON.stringify(places))
    assert.equal((await bench.post('move/job', { username: 'bob', places: [good] })).status, 403)
  })
})
