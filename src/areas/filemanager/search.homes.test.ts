import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { aliceUid, type FilesBench, openFilesBench } from './testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('searching a home', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
    const script = `mkdir -p d/deep; printf 'one\\ntwo Needle x\\nthree\\n' > d/deep/a.txt; printf 'a\\0needle' > bin; ln -s /etc d/out; touch "Käse.TXT" d/-n.txt
      touch "$(printf 'odd\\377')"; printf 'needle\\n%0.s' $(seq 300) > many; head -c 3000000 /dev/zero | tr '\\0' y > long; printf ' needle' >> long; mkdir thrown; printf needle > thrown/f`
    execFileSync(
      'setpriv',
      [`--reuid=${aliceUid}`, `--regid=${aliceUid}`, '--clear-groups', 'sh', '-c', script],
      { cwd: bench.at() },
    )
    await bench.post('delete', { paths: ['thrown'], trash: true })
  })
  after(() => bench.remove())
  const find = async (query: Record<string, string>) => (await bench.get('search', query)).data
  const paths = async (query: Record<string, string>) =>
    (await find(query)).items.map(({ path }: { path: string }) => path)

  it('finds names below a folder regardless of case, and nothing behind links or in the trash', async () => {
    assert.deepEqual(await paths({ query: '.txt' }), ['Käse.TXT', 'd/-n.txt', 'd/deep/a.txt'])
    assert.deepEqual(await paths({ query: 'KÄSE' }), ['Käse.TXT'])
    assert.deepEqual(await paths({ query: '.txt', path: '/d/deep' }), ['d/deep/a.txt'])
    for (const query of ['passwd', 'thrown', 'hostreeve']) assert.deepEqual(await paths({ query }), [], query)
    assert.equal(
      (await find({ query: 'odd' })).items[0].path_b64,
      Buffer.from('6f6464ff', 'hex').toString('base64'),
    )
  })

  it('finds lines of text files with their numbers', async () => {
    const { items, is_cut } = await find({ query: 'needle', in: 'content', path: 'd' })
    assert.deepEqual(
      [items, is_cut],
      [[{ path: 'd/deep/a.txt', type: 'file', line: 2, text: 'two Needle x' }], false],
    )
    assert.deepEqual(await paths({ query: 'two needle', in: 'content' }), ['d/deep/a.txt'])
    const whole = await find({ query: 'needle', in: 'content', limit: '1000' })
    assert.equal(whole.items.length, 302)
    assert.ok(
      whole.items.every(
        ({ path, text }: { path: string; text: string }) => path !== 'bin' && text.length <= 300,
      ),
    )
    assert.deepEqual(await paths({ query: '--help', in: 'content' }), [])
  })

  it('stops at the limit and reports it', async () => {
    const { items, is_cut } = await find({ query: 'needle', in: 'content', limit: '10' })
    assert.deepEqual([items.length, is_cut], [10, true])
    assert.deepEqual(
      [
        (await find({ query: '', limit: '1', path: '' }))?.items,
        (await find({ query: 'n', limit: '1' })).is_cut,
      ],
      [undefined, true],
    )
  })

  it('finds names by a pattern, and with exact case', async () => {
    assert.deepEqual(await paths({ query: '*.txt', glob: 'true' }), ['Käse.TXT', 'd/-n.txt', 'd/deep/a.txt'])
    assert.deepEqual(await paths({ query: '?.txt', glob: 'true', match_case: 'true' }), ['d/deep/a.txt'])
    assert.deepEqual(await paths({ query: 'txt', match_case: 'true' }), ['d/-n.txt', 'd/deep/a.txt'])
    assert.deepEqual(await paths({ query: 'Needle', in: 'content', match_case: 'true' }), ['d/deep/a.txt'])
    assert.deepEqual(await paths({ query: 'needle', in: 'content', files: '*.txt' }), ['d/deep/a.txt'])
    const refused: readonly Record<string, string>[] = [
      { query: '*', glob: 'true', in: 'content' },
      { query: 'a', files: '*' },
      { query: 'a', in: 'content', files: '{a,b}' },
      { query: 'a', in: 'content', files: '../x' },
    ]
    for (const query of refused) {
      const { status, error } = await bench.get('search', query)
      assert.deepEqual(
        [status, error.code, /^(?:glob|files): /.test(error.message)],
        [400, 'bad_request', true],
      )
    }
  })

  it('streams the results and its outcome', async () => {
    const stream = async (query: Record<string, string>) => {
      const { text } = await bench.get('search/stream', query)
      return text
        .split('\n\n')
        .flatMap((event) => (event.startsWith('data: ') ? [JSON.parse(event.slice(6))] : []))
    }
    const match = { path: 'd/deep/a.txt', type: 'file', line: 2, text: 'two Needle x' }
    assert.deepEqual(await stream({ query: 'needle', in: 'content', path: 'd' }), [
      { type: 'match', match },
      { type: 'end', found: 1, is_cut: false },
    ])
    const many = await stream({ query: 'needle', in: 'content', limit: '7' })
    assert.deepEqual([many.length, many.at(-1)], [8, { type: 'end', found: 7, is_cut: true }])
    assert.deepEqual(await stream({ query: 'nowhere' }), [{ type: 'end', found: 0, is_cut: false }])
    for (const [query, status] of [
      [{ query: 'x', path: 'absent' }, 404],
      [{ query: 'x', path: 'many' }, 400],
      [{}, 400],
    ] as const)
      assert.equal((await bench.get('search/stream', query)).status, status)
  })

  it('rejects invalid queries and paths that are not folders', async () => {
    assert.equal((await bench.get('search')).error.message, 'query: is required')
    for (const query of ['', 'a\nb', 'x'.repeat(201)])
      assert.equal((await bench.get('search', { query })).status, 400, query.slice(0, 5))
    for (const [path, status] of [
      ['absent', 404],
      ['many', 400],
      ['../x', 400],
    ] as const)
      assert.equal((await bench.get('search', { query: 'x', path })).status, status, path)
  })
})
