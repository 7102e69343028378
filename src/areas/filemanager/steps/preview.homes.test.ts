import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Answer } from '../../../../test/support/panel.ts'
import { skip } from '../../../host/owner/testing/homes.ts'
import { aliceUid, type FilesBench, openFilesBench } from '../testing/files-bench.ts'
import { until } from '../../../../test/support/until.ts'

type Request = readonly [verb: string, body: Readonly<Record<string, unknown>>]

const transfers = (verb: 'move' | 'copy'): readonly Request[] => [
  [verb, { src_path: 'absent', dst_path: 'x' }],
  [verb, { src_path: 'file', dst_path: 'full/one' }],
  [verb, { src_path: 'full', dst_path: 'file', overwrite: true }],
  [verb, { src_path: 'full', dst_path: 'full/inner' }],
  [verb, { src_path: 'file', dst_path: 'absent/x' }],
  [verb, { src_path: 'file', dst_path: 'file/x' }],
  [verb, { src_path: 'file', dst_path: 'shut' }],
  [verb, { src_path: 'file', dst_path: 'pipe/' }],
  [verb, { src_path: 'file', dst_path: 'locked', overwrite: true }],
]

/** Rejected requests, each for a single reason. */
const refused: readonly Request[] = [
  ['write', { path: 'full', content: 'x' }],
  ['write', { path: 'pipe', content: 'x' }],
  ['write', { path: 'locked', content: 'x' }],
  ['write', { path: 'file', content: 'x', if_match: '1-2-3-4' }],
  ['write', { path: 'absent', content: 'x', if_match: '1-2-3-4' }],
  ['write', { path: 'absent/new', content: 'x' }],
  ['write', { path: 'file/new', content: 'x' }],
  ['write', { path: 'shut/new', content: 'x' }],
  ['write', { path: 'shut/there', content: 'x' }],
  ['write', { path: 'lockedfolder/new', content: 'x' }],
  ['mkdir', { path: 'full' }],
  ['mkdir', { path: 'file' }],
  ['mkdir', { path: 'dangling' }],
  ['mkdir', { path: 'file', recursive: true }],
  ['mkdir', { path: 'absent/new' }],
  ['mkdir', { path: 'file/new' }],
  ['mkdir', { path: 'file/new/er', recursive: true }],
  ['mkdir', { path: 'shut/new' }],
  ['mkdir', { path: 'shut/new/er', recursive: true }],
  ...[false, true].flatMap((trash): readonly Request[] => [
    ['delete', { paths: ['absent'], trash }],
    ['delete', { paths: ['file/'], trash }],
    ['delete', { paths: ['locked'], trash }],
    ['delete', { paths: ['shut/there'], trash }],
  ]),
  ['delete', { paths: ['file', 'absent'], trash: true }],
  ['delete', { paths: ['shut'] }],
  ['delete', { paths: ['other'] }],
  ['delete', { paths: ['other'], trash: false }],
  ['delete', { paths: ['holdslocked'], trash: false }],
  ['delete', { paths: ['holdsshut'], trash: false }],
  ...transfers('move'),
  ...transfers('copy'),
  ['move', { src_path: 'locked', dst_path: 'x' }],
  ['move', { src_path: 'shut/there', dst_path: 'x' }],
  ['move', { src_path: 'shut', dst_path: 'full' }],
  ['copy', { src_path: 'pipe', dst_path: 'x' }],
  ['copy', { src_path: 'unreadable', dst_path: 'x' }],
  ['rename', { path: 'absent', new_name: 'x' }],
  ['rename', { path: 'file', new_name: 'full' }],
  ['rename', { path: 'file', new_name: 'locked' }],
  ['rename', { path: 'locked', new_name: 'x' }],
  ['chmod', { path: 'absent', mode: '644' }],
  ['chmod', { path: 'dangling', mode: '644' }],
  ['chmod', { path: 'locked', mode: '644' }],
  ['chmod', { path: 'foreign', mode: '644' }],
  ['chmod', { path: 'holdsforeign', mode: '755', recursive: true }],
  ['lock', { path: 'absent' }],
  ['lock', { path: 'dangling' }],
  ['unlock', { path: 'absent' }],
  ['unlock', { path: 'dangling' }],
  ['compress', { paths: ['absent'], archive_name: 'x.zip' }],
  ['compress', { paths: ['file', 'absent'], archive_name: 'x.tar' }],
  ['compress', { paths: ['unreadable'], archive_name: 'x.zip' }],
  ['extract', { archive_path: 'absent', dst_path: 'x' }],
  ['extract', { archive_path: 'a.tar', dst_path: 'other' }],
  ['extract', { archive_path: 'a.tar', dst_path: 'other/new' }],
  ['extract', { archive_path: 'a.tar', dst_path: 'shut/new' }],
  ['extract', { archive_path: 'a.tar', dst_path: 'file/new' }],
  ['trash/restore', { ids: ['no-such-one'] }],
  ['trash/empty', { ids: ['no-such-one'] }],
  ['download-url', { path: 'shut', url: 'http://inside.test/x' }],
  ['download-url', { path: 'absent', url: 'http://inside.test/x' }],
]

/** Accepted requests: a plan that rejects one would block work that is possible. */
const carriedOut: readonly Request[] = [
  ['write', { path: 'readonly', content: 'x' }],
  ['write', { path: 'unreadable', content: 'x' }],
  ['write', { path: 'link', content: 'x' }],
  ['write', { path: 'new', content: 'x' }],
  ['mkdir', { path: 'a/b/c', recursive: true }],
  ['mkdir', { path: 'a/b/c', recursive: true }],
  ['mkdir', { path: 'a/d/' }],
  ['copy', { src_path: 'full', dst_path: 'other' }],
  ['move', { src_path: 'other/full', dst_path: 'back' }],
  ['copy', { src_path: 'shut', dst_path: 'copied' }],
  ['rename', { path: 'shut', new_name: 'closed' }],
  ['rename', { path: 'closed', new_name: 'shut' }],
  ['move', { src_path: 'dangling', dst_path: 'full' }],
  ['move', { src_path: 'new', dst_path: 'file', overwrite: true }],
  ['chmod', { path: 'back', mode: '750', recursive: true }],
  ['compress', { paths: ['full', 'file'], archive_name: 'x.tar.gz' }],
  ['extract', { archive_path: 'a.tar', dst_path: 'full' }],
  ['delete', { paths: ['back'] }],
  ['delete', { paths: ['other/gone'] }],
  ['delete', { paths: ['a', 'x.tar.gz'], trash: false }],
  ['trash/empty', {}],
]

describe('a plan and the change', { skip }, () => {
  let bench: FilesBench
  const server = createServer((_, response) => void response.end('bytes'))
  const sh = (script: string) => execFileSync('sh', ['-ec', script], { cwd: bench.at() })
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    bench = await openFilesBench({
      addresses: {
        resolve: async (name: string) => (name === 'inside.test' ? ['127.0.0.1'] : []),
        allow: ['127.0.0.1'],
      },
      fetch: { stallMs: 3000, connectMs: 3000 },
    })
    sh(`
      mkdir -p full/inner shut other lockedfolder holdslocked/in holdsshut/in holdsforeign; mkfifo pipe; ln -s nowhere dangling; ln -s file link
      for name in file full/one shut/there locked readonly unreadable foreign holdsforeign/it holdslocked/in/it holdsshut/in/it; do echo "$name" >"$name"; done
      mount -t tmpfs tmpfs other; echo 1 >other/gone; tar -cf a.tar full
      chown -Rh ${aliceUid}:${aliceUid} .; chown 0:0 foreign holdsforeign/it
      chmod 444 readonly; chmod 200 unreadable; chmod 555 shut holdsshut/in; chattr +i locked lockedfolder holdslocked/in/it`)
  })
  after(async () => {
    server.close()
    sh('chattr -i locked lockedfolder holdslocked/in/it; umount -l other')
    await bench.remove()
  })

  const port = () => (server.address() as AddressInfo).port
  const filled = (body: Request[1]) =>
    JSON.parse(JSON.stringify(body).replace('inside.test/', `inside.test:${port()}/`))
  const listing = () =>
    readdirSync(bench.at(), { recursive: true })
      .map(String)
      .filter((name) => !name.startsWith('.hostreeve'))
      .sort()
      .map((name) => [name, lstatSync(bench.at(name)).ctimeMs])
  /** Masks the parts of a message that depend on the order of checks or on the output of a program. */
  const refusal = ({ status, error, text }: Answer) => {
    assert.ok(status >= 400, text)
    return [
      status,
      error?.code,
      String(error?.message)
        .replace(' Nothing was changed.', '')
        .replace(/\.$/, '')
        .replace(/(unreadable|other\/new|shut).*/, '$1'),
    ]
  }
  const planned = async ([verb, body]: Request) => {
    const was = listing()
    const plan = await bench.post(`${verb}?plan=1`, filled(body))
    assert.deepEqual(listing(), was, 'a plan changes nothing')
    return plan
  }

  for (const request of refused)
    it(`are rejected alike: ${request[0]} ${JSON.stringify(request[1])}`, async () => {
      const plan = await planned(request)
      assert.deepEqual(refusal(plan), refusal(await bench.post(request[0], filled(request[1]))))
    })

  it('are rejected alike if an entry of the trash cannot be restored to its path', async () => {
    sh(`echo x >thrown; chown ${aliceUid} thrown`)
    assert.equal((await bench.post('delete', { paths: ['thrown'], trash: true })).status, 200)
    await bench.post('write', { path: 'thrown', content: 'in its place' })
    const [{ id }] = (await bench.get('trash')).data.items
    for (const ids of [[id], [id, id]]) {
      const request: Request = ['trash/restore', { ids }]
      assert.deepEqual(refusal(await planned(request)), refusal(await bench.post(...request)))
    }
    await bench.post('delete', { paths: ['thrown'], trash: false })
    assert.equal((await planned(['trash/restore', { ids: [id] }])).status, 200)
    assert.equal((await bench.post('trash/restore', { ids: [id] })).status, 200)
  })

  for (const [verb, body] of [
    ['copy/job', { places: [{ src_path: 'absent', dst_path: 'x' }] }],
    ['move/job', { places: [{ src_path: 'full', dst_path: 'full/inner', overwrite: true }] }],
    ['move/job', { places: [{ src_path: 'absent', dst_path: 'x' }, { src_path: 'locked', dst_path: 'y' }] }], // prettier-ignore
    ['compress/job', { paths: ['absent'], archive_name: 'x.zip' }],
    ['compress/job', { paths: ['file'], archive_name: 'y.zip', dst_path: 'absent' }],
    ['extract/job', { archive_path: 'absent', dst_path: 'x' }],
    ['wget-upload', { path: 'absent', url: 'http://inside.test/x' }],
    ['wget-upload', { path: 'shut', url: 'http://inside.test/x' }],
  ] as const)
    it(`are rejected if the job fails: ${verb} ${JSON.stringify(body)}`, async () => {
      const [, , said] = refusal(await planned([verb, body]))
      const { data } = await bench.post(verb, filled(body))
      const failed = await ended(data.job_id)
      const textOf = (text: unknown) =>
        String(text)
          .replace(/(shut).*/, '$1')
          .split(';')[0]
          ?.replace(/\.$/, '')
      assert.equal(failed.state, 'failed')
      assert.equal(textOf(failed.message), textOf(said))
    })
  const ended = (id: number) =>
    until(
      async () => {
        const { data } = await bench.panel.request('GET', `/api/jobs/${id}`, { as: bench.alice })
        return !['queued', 'running'].includes(data.state) && data
      },
      { everyMs: 20 },
    )

  it('are both rejected for an upload into a folder in which no file can be made', async () => {
    const query = new URLSearchParams({
      username: 'alice',
      path: 'shut',
      name: 'new',
      resumable: 'true',
      size_bytes: '10',
    })
    const opened = (plan: string) =>
      bench.panel.request('POST', `/api/filemanager/upload?${query}${plan}`, { as: bench.alice })
    assert.deepEqual(refusal(await opened('&plan=1')), refusal(await opened('')))
  })

  for (const request of carriedOut)
    it(`both succeed: ${request[0]} ${JSON.stringify(request[1])}`, async () => {
      const plan = await planned(request)
      assert.equal(plan.status, 200, plan.text)
      const done = await bench.post(...request)
      assert.ok(done.status < 300, done.text)
    })
})
