import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { aliceUid, type FilesBench, openFilesBench } from './testing/files-bench.ts'

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
describe(
  'names that are not UTF-8',
  { skip: process.getuid?.() === 0 ? false : 'needs root: works under other uids' },
  () => {
    let bench: FilesBench
    const odd = base64('caf\xe9')
    before(async () => {
      bench = await openFilesBench()
      execFileSync(
        'setpriv',
        [
          `--reuid=${aliceUid}`,
          `--regid=${aliceUid}`,
          '--clear-groups',
          'sh',
          '-c',
          'mkdir "$(printf "d\\377")"',
        ],
        {
          cwd: bench.at(),
        },
      )
    })
    after(() => bench.remove())
    const names = () =>
      readdirSync(bench.at(), { encoding: 'buffer' })
        .map((name) => name.toString('latin1'))
        .toSorted()

    it('are written, read, copied, renamed, moved and removed', async () => {
      const { status, data } = await bench.post('write', { path_b64: odd, content: 'one' })
      assert.deepEqual([status, data.path, data.path_b64, data.created], [200, 'caf\ufffd', odd, true])
      assert.equal((await bench.get('read', { path_b64: odd })).data.content, 'one')
      assert.equal((await bench.get('stat', { path_b64: odd })).data.name_b64, odd)
      for (const [verb, body] of [
        ['copy', { src_path_b64: odd, dst_path_b64: base64('two\xfe') }],
        ['rename', { path_b64: base64('two\xfe'), new_name_b64: base64('three\xfd') }],
        ['chmod', { path_b64: base64('three\xfd'), mode: '600' }],
        ['move', { src_path_b64: base64('three\xfd'), dst_path_b64: base64('d\xff') }],
        ['lock', { path_b64: odd }],
        ['unlock', { path_b64: odd }],
        ['mkdir', { path_b64: base64('d\xff/e\xff') }],
        ['compress', { paths_b64: [odd, base64('d\xff')], archive_name: 'a.tar' }],
      ] as const)
        assert.ok((await bench.post(verb, body)).status < 300, verb)
      assert.deepEqual(names(), ['a.tar', 'caf\xe9', 'd\xff'])
      const listed = await bench.get('list', { path_b64: base64('d\xff') })
      assert.deepEqual(
        listed.data.items.map((entry: { name_b64: string }) => entry.name_b64).toSorted(),
        [base64('three\xfd'), base64('e\xff')].toSorted(),
      )
      assert.equal((await bench.get('dirsize', { path_b64: base64('d\xff') })).status, 200)
      assert.equal((await bench.post('delete', { paths_b64: [odd, base64('d\xff')] })).status, 200)
      assert.deepEqual(names(), ['a.tar'])
    })

    it('are rejected with the name of their field and the same statuses as other paths', async () => {
      const { status, error } = await bench.post('move', { src_path_b64: odd, dst_path: 'x' })
      assert.deepEqual(
        [status, error.code, error.message],
        [404, 'not_found', 'src_path_b64: caf\ufffd does not exist. Nothing was changed.'],
      )
      const both = await bench.post('delete', { paths: ['a'], paths_b64: [odd] })
      assert.deepEqual(
        [both.status, both.error.code, both.error.message],
        [400, 'bad_request', 'paths: must not be combined with paths_b64'],
      )
      const none = await bench.get('download', { path_b64: base64('a\0') })
      assert.deepEqual(
        [none.status, none.error.code, none.error.message.split(':')[0]],
        [400, 'bad_request', 'path_b64'],
      )
      for (const verb of ['write', 'mkdir']) {
        const missing = await bench.post(verb, { path: 'no/such/x', content: '' })
        assert.deepEqual([missing.status, missing.error.code], [404, 'not_found'])
        assert.match(missing.error.message, /^path: no\/such does not exist/)
      }
      const into = await bench.post('copy', { src_path: 'a.tar', dst_path: 'absent/x' })
      assert.deepEqual(
        [into.status, into.error.message],
        [500, 'dst_path: absent does not exist. Nothing was changed.'],
      )
    })
  },
)
