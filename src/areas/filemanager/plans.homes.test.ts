import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { skip } from '../../host/owner/testing/homes.ts'
import type { Answer } from '../../../test/support/panel.ts'
import { aliceUid, type FilesBench, openFilesBench } from './testing/files-bench.ts'

const messageOf = ({ status, data, text }: Answer) => {
  assert.equal(status, 200, text)
  return data.steps[0].details
}
const refusal = ({ status, error }: Answer) => [status, error?.code, error?.message]

describe('a plan of file operations', { skip }, () => {
  let bench: FilesBench
  let requests = 0
  const server = createServer((_, response) => void (requests++, response.end('bytes')))
  const at = (path: string) => `http://inside.test:${(server.address() as AddressInfo).port}/${path}`
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    bench = await openFilesBench({
      addresses: {
        resolve: async (name: string) => (name === 'inside.test' ? ['127.0.0.1'] : []),
        allow: ['127.0.0.1'],
      },
      fetch: { stallMs: 3000, connectMs: 3000 },
    })
    sh(
      'mkdir -p in/d out/d shut; echo 1 >in/a; echo 22 >in/d/b; ln -s a in/l; echo old >out/a; ln -s x out/l; tar -cf a.tar -C in .; chmod 555 shut',
    )
  })
  after(async () => {
    server.close()
    await bench.remove()
  })
  const sh = (script: string) =>
    execFileSync(
      'setpriv',
      [`--reuid=${aliceUid}`, `--regid=${aliceUid}`, '--clear-groups', 'sh', '-ec', script],
      { cwd: bench.at() },
    )
  const listing = () => readdirSync(bench.at(), { recursive: true }).map(String).sort()
  const open = (path: string, query: Record<string, string> = {}) =>
    bench.panel.request(
      'POST',
      `/api/filemanager/${path}${new URLSearchParams({ username: 'alice', resumable: 'true', size_bytes: '1000', ...query })}`,
      {
        as: bench.alice,
      },
    )

  it('lists the entries that an extraction makes and replaces, and states that the history keeps them', async () => {
    const before = listing()
    const over = await bench.post('extract?plan=1', { archive_path: 'a.tar', dst_path: 'out' })
    assert.equal(over.data.is_reversible, false)
    assert.deepEqual(messageOf(over), [
      'Makes 1 file and 0 folders; 5 bytes in all',
      'Replaces 1 file: out/a. What they hold goes into the history, unless it stays the same',
      'Replaces 1 link, which the history does not keep',
    ])
    const fresh = await bench.post('extract?plan=1', { archive_path: 'a.tar', dst_path: 'new' })
    assert.deepEqual(
      [messageOf(fresh), fresh.data.is_reversible],
      [['Makes 3 files and 1 folder; 5 bytes in all'], true],
    )
    assert.deepEqual(listing(), before)
  })

  it('rejects an archive with the same message as the extraction', async () => {
    sh('mkdir -p clash/a; echo no >none.tar')
    for (const [archive_path, dst_path] of [
      ['a.tar', 'clash'],
      ['none.tar', 'x'],
      ['absent', 'x'],
      ['a.tar', 'none.tar'],
      ['a.tar', 'shut'],
    ]) {
      const [plan, done] = [
        await bench.post('extract?plan=1', { archive_path, dst_path }),
        await bench.post('extract', { archive_path, dst_path }),
      ]
      assert.ok(done.status >= 400 && done.status < 500)
      const refused = (answer: Answer) =>
        refusal(answer).map((word) => String(word).replace(/shut\/\w/, 'shut/…')) // the order of the files is undefined
      assert.deepEqual(refused(plan), refused(done))
    }
  })

  it('states the size of an upload in parts and the file that it replaces, without starting it', async () => {
    const before = listing()
    const [begins, then, expires] = messageOf(await open('upload?plan=1&name=fresh&'))
    assert.match(begins, /^Begins a hidden file for 1,000 bytes; the disk has room for [\d,]+ bytes$/)
    assert.equal(then, 'Nothing else changes before the last part is there, which makes fresh')
    assert.equal(expires, 'What was received is removed when no part comes for 24 hours')
    assert.match(
      messageOf(await open('upload?plan=1&name=a&path=in&'))[1],
      /which replaces in\/a of 2 bytes, which the history keeps/,
    )
    assert.deepEqual(refusal(await open('upload?plan=1&name=d&path=in&')).slice(0, 2), [400, 'bad_request'])
    assert.deepEqual(
      listing().filter((name) => !name.startsWith('.hostreeve')),
      before,
    )
  })

  it('states the name of a download without contacting the server, and rejects what the download would reject', async () => {
    const [makes, most] = messageOf(await bench.post('download-url?plan=1', { path: 'in', url: at('a') }))
    assert.equal(
      makes,
      'Makes in/a (1), or a file with the next number where that name is taken by then; nothing is replaced',
    )
    assert.match(most, /at most 53,687,091,200 bytes are received$/)
    assert.equal(requests, 0)
    for (const body of [
      { path: 'absent', url: at('x') },
      { path: 'a.tar', url: at('x') },
      { path: 'in', url: 'http://127.0.0.2/x' },
      { path: 'in', url: 'http://nobody.test/x' },
      { path: 'in', url: 'ftp://inside.test/x' },
    ]) {
      const [plan, done] = [
        await bench.post('download-url?plan=1', body),
        await bench.post('download-url', body),
      ]
      const refused = (answer: Answer) =>
        refusal(answer).map((word) => String(word).replace(' Nothing was changed.', '').replace(/\.$/, ''))
      assert.deepEqual(refused(plan), refused(done), JSON.stringify(body))
    }
    assert.equal((await bench.post('download-url', { path: 'in', url: at('a') })).data.file, 'in/a (1)')
  })

  it('states if a write makes or replaces the file, and shows the diff', async () => {
    const made = (await bench.post('write?plan=1', { path: 'notes', content: 'one\n' })).data
    assert.deepEqual(made.steps[0].details, ['Makes notes'])
    assert.deepEqual([made.is_reversible, 'irreversible' in made.steps[0]], [true, false])
    await bench.post('write', { path: 'notes', content: 'one\n' })
    const [step] = (await bench.post('write?plan=1', { path: 'notes', content: 'two\n' })).data.steps
    assert.deepEqual(step.details, [
      'Replaces notes of 4 bytes, which the history keeps as far as its limits go',
    ])
    assert.match(step.files[0].diff, /^-one\n\+two$/m)
    assert.match(step.irreversible, /^the former content/)
    const binary = (
      await bench.post('write?plan=1', { path: 'notes', content: 'AAEC/w==', encoding: 'base64' })
    ).data.steps[0]
    assert.deepEqual([binary.details, binary.files], [step.details, undefined])
  })

  it('states the entries that are made, replaced, copied, packed and changed, and their size', async () => {
    sh('mkdir tree tree/d; echo 1 >tree/a; echo 22 >tree/d/b; ln -s a tree/l; echo old >old')
    for (const [verb, body, expected] of [
      ['mkdir', { path: 'm/n/o', recursive: true }, ['Makes 3 folders']],
      ['mkdir', { path: 'tree', recursive: true }, ['The folder is there already']],
      ['delete', { paths: ['tree', 'old'] }, ['Removes tree, old: 6 entries, 9 bytes in all']],
      ['delete', { paths: ['tree'], trash: true }, ['Throws away tree: 5 entries, 5 bytes in all']],
      ['copy', { src_path: 'tree', dst_path: 'out' }, ['Makes out/tree', 'Copies 5 entries, 5 bytes in all']],
      [
        'move',
        { src_path: 'tree/a', dst_path: 'old', overwrite: true },
        ['Replaces old of 4 bytes, which the history keeps as far as its limits go'],
      ],
      ['rename', { path: 'old', new_name: 'x' }, ['Makes x']],
      [
        'copy',
        { src_path: 'old', dst_path: 'tree/l', overwrite: true },
        ['Replaces the link tree/l, which the history does not keep', 'Copies 1 entry, 4 bytes in all'],
      ],
      ['chmod', { path: 'tree', mode: '755', recursive: true }, ['Changes 4 modes']],
      ['chmod', { path: 'tree', mode: '755', recursive: true, only: 'folders' }, ['Changes 2 modes']],
      ['lock', { path: 'tree', recursive: true }, ['Reaches 5 entries, 5 bytes in all; links are left out']],
      ['unlock', { path: 'old' }, ['It is not locked']],
      [
        'compress',
        { paths: ['tree'], archive_name: 'a.tar' },
        ['Makes a.tar.1', 'Packs 5 entries, 5 bytes in all'],
      ],
    ] as const)
      assert.deepEqual(
        messageOf(await bench.post(`${verb}?plan=1`, body)),
        expected,
        `${verb} ${JSON.stringify(body)}`,
      )
  })

  it('says of a mode what it does to the SSH keys in the home, which a mode for the whole home leaves as they are', async () => {
    sh('rm -rf .ssh; mkdir -m 700 .ssh; echo key >.ssh/authorized_keys; chmod 600 .ssh/authorized_keys')
    const about = async (body: object) =>
      messageOf(await bench.post('chmod?plan=1', body)).filter((line: string) => /sshd/.test(line))
    const leaves = 'Leaves ~/.ssh as it is: sshd accepts keys only where nobody else may write'
    assert.deepEqual(await about({ path: '/', mode: '755', recursive: true }), [leaves])
    assert.deepEqual(await about({ path: '', mode: '777', recursive: true }), [
      leaves,
      'Others may then write to the home: sshd refuses the SSH keys of the account; 755 does not break them',
    ])
    assert.deepEqual(await about({ path: '/', mode: '766', recursive: true, only: 'files' }), [leaves])
    assert.match((await about({ path: '.ssh/', mode: '770' })).join(), /write to ~\/\.ssh: .*; 750 does not/)
    assert.deepEqual(await about({ path: '.ssh', mode: '700', recursive: true }), [])
    assert.deepEqual(await about({ path: 'tree', mode: '777', recursive: true }), [])
    assert.equal((await bench.post('chmod', { path: '/', mode: '755', recursive: true })).status, 200)
    const modes = ['.ssh', '.ssh/authorized_keys', 'tree'].map(
      (path) => statSync(bench.at(path)).mode & 0o777,
    )
    assert.deepEqual(modes, [0o700, 0o600, 0o755])
    sh('rm -r .ssh')
  })

  it('states the entries restored from the trash or deleted from it', async () => {
    sh('mkdir thrown; echo 1 >thrown/a')
    await bench.post('delete', { paths: ['thrown'], trash: true })
    const [{ id }] = (await bench.get('trash')).data.items
    assert.deepEqual(messageOf(await bench.post('trash/restore?plan=1', { ids: [id] })), [
      'Puts back thrown: 2 entries, 2 bytes in all',
    ])
    assert.deepEqual(messageOf(await bench.post('trash/empty?plan=1', {})), [
      'Removes 2 entries, 2 bytes in all',
    ])
  })

  it('describes a job, with those of its transfers that would fail', async () => {
    sh('mkdir jobs jobs/to; echo 1 >jobs/a; echo 1 >jobs/x.zip')
    const planned = async (verb: string, body: object) => {
      const { details, steps } = (await bench.post(`${verb}/job?plan=1`, body)).data
      return steps.length > 0 ? steps.flatMap((step: { details?: string[] }) => step.details ?? []) : details
    }
    const places = [
      { src_path: 'jobs/a', dst_path: 'jobs/b' },
      { src_path: 'jobs/c', dst_path: 'jobs/d' },
    ]
    assert.deepEqual(await planned('copy', { places }), [
      'Makes jobs/b (1 entry, 2 bytes in all)',
      'As things stand this fails, and keeps none of the others back: jobs/c does not exist',
    ])
    assert.deepEqual(
      await planned('compress', { paths: ['jobs/a'], archive_name: 'x.zip', dst_path: 'jobs' }),
      ['Makes jobs/x (2).zip', 'Packs 1 entry, 2 bytes in all'],
    )
    assert.deepEqual(await planned('extract', { archive_path: 'a.tar', dst_path: 'jobs/new' }), [
      'Makes 3 files and 1 folder; 5 bytes in all',
    ])
  })

  it('is rejected like the change in a home that its owner may not write to', async () => {
    const withoutRest = (word: unknown) =>
      typeof word === 'string' ? word.replace(/\.? Nothing was changed\./, '') : word
    sh('rm -r .hostreeve-trash; chmod 555 .')
    try {
      for (const ask of [
        (plan: string) => open(`upload${plan}name=new&`, { path: 'in' }),
        (plan: string) => bench.post(`compress${plan}`, { paths: ['in'], archive_name: 'new.zip' }),
        (plan: string) => bench.post(`delete${plan}`, { paths: ['in/a'], trash: true }),
        (plan: string) => bench.post(`write${plan}`, { path: 'new', content: '' }),
      ]) {
        const [plan, done] = [await ask('?plan=1&'), await ask('?')]
        assert.ok(done.status >= 400, done.text)
        assert.deepEqual(refusal(plan), refusal(done).map(withoutRest))
      }
    } finally {
      sh('chmod 755 .')
    }
  })

  it('states the number and size of deleted versions, as the deletion itself then does', async () => {
    await bench.post('mkdir', { path: 'past' })
    for (const [path, contents] of [
      ['past/one', ['shared', 'only here', 'x']],
      ['past/two', ['shared', 'y']],
      ['else', ['shared', 'z']],
    ] as const)
      for (const content of contents) await bench.post('write', { path, content })
    for (const [body, versions] of [
      [{ path: 'past/one' }, 2],
      [{ path: 'past' }, 1],
      [{ all: true }, 1],
    ] as const) {
      const [plan] = messageOf(await bench.post('history/clear?plan=1', body))
      const { data } = await bench.post('history/clear', body)
      assert.deepEqual([data.versions, plan], [versions, planned(data)])
    }
    assert.deepEqual(messageOf(await bench.post('history/clear?plan=1', { path: 'past' })), [
      'There are no versions to forget',
    ])
    assert.equal(readFileSync(bench.at('else'), 'utf8'), 'z')
  })
})

function planned({
  versions,
  freed_bytes: freed,
}: {
  readonly versions: number
  readonly freed_bytes: number
}): string {
  const count = `${versions} ${versions === 1 ? 'version' : 'versions'}`
  return `Removes ${count}, which gives back ${freed} ${freed === 1 ? 'byte' : 'bytes'} of the room that the history takes`
}
