import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { mountQuotaHome, whyWithoutQuota } from './story/quota-disk.ts'
import { SignedIn } from './story/signed-in.ts'
import type { Answer, Owner } from './story/signed-in.ts'

const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3
const withoutQuota = whyWithoutQuota()

describe('the file manager at the limits of a host', () => {
  let host: Host
  let panel: Panel
  let owners: readonly Owner[]
  const as = (name: string, line: string) =>
    host.must([
      'setpriv',
      `--reuid=${name}`,
      `--regid=${name}`,
      '--clear-groups',
      '--',
      'sh',
      '-c',
      `cd /home/${name} && ${line}`,
    ])
  const post = ({ username, signedIn }: Owner, name: string, body: object) =>
    signedIn.ask('POST', `/api/filemanager/${name}`, { username, ...body })
  const get = ({ username, signedIn }: Owner, name: string, query = '') =>
    signedIn.must('GET', `/api/filemanager/${name}?username=${username}${query}`)

  before(async () => {
    host = await bootHost('limits')
    panel = await startPanel(host)
    const admin = await SignedIn.as(panel)
    owners = [await admin.makeOwner('ada'), await admin.makeOwner('bob')]
  })
  after(() => host?.remove())

  it('lists a folder of 100,000 entries page by page, in any order', async (t) => {
    const [ada] = owners as [Owner]
    await mountHome('size=64m')
    await as(
      'ada',
      'mkdir many && cd many && seq -f "entry-%06g" 100000 | xargs touch && echo last-changed >entry-077777',
    )
    const startedAt = performance.now()
    const first = await get(ada, 'list', '&path=many&per_page=500')
    t.diagnostic(`first page by name: ${Math.round(performance.now() - startedAt)} ms`)
    assert.deepEqual([first.total, first.items.length, first.items[0].name], [100_000, 500, 'entry-000001'])
    const last = await get(ada, 'list', '&path=many&per_page=500&page=200')
    assert.deepEqual([last.items.length, last.items.at(-1).name], [500, 'entry-100000'])
    const sortedAt = performance.now()
    const bySize = await get(ada, 'list', '&path=many&per_page=1&sort=-size_bytes')
    t.diagnostic(`first page by size: ${Math.round(performance.now() - sortedAt)} ms`)
    assert.equal(bySize.items[0].name, 'entry-077777')
    await as('ada', 'mkdir many/last-folder')
    const foldersFirst = await get(ada, 'list', '&path=many&per_page=2&folders_first=true')
    assert.deepEqual(
      foldersFirst.items.map(({ name }: { name: string }) => name),
      ['last-folder', 'entry-000001'],
    )
    await unmountHome()
  })

  it('lists, reads, sends in parts and copies a file of 50 GB that is almost empty, for two owners at once', async () => {
    await Promise.all(owners.map(assertLargeFile))
  })

  it('says that the disk is full, under the code of each operation, and leaves nothing half made', async () => {
    await mountHome('size=24m')
    await assertRefusals(/the disk that holds the home is full/, [
      'copy',
      'compress',
      'extract',
      'write',
      'upload',
    ])
    await unmountHome()
  })

  it(
    'says that the quota is used up, and copies within it where the file system shares blocks',
    { skip: withoutQuota },
    async () => {
      const [ada] = owners as [Owner]
      await mountQuotaHome(host, 'ada', '24M')
      await assertRefusals(/the disk quota of the account is used up/, [
        'compress',
        'extract',
        'write',
        'upload',
      ])
      await as('ada', 'rm -rf * && sync . && dd if=/dev/urandom of=large bs=1M count=12 conv=fsync')
      for (const name of ['second', 'third', 'fourth']) {
        const { status, message } = await post(ada, 'copy', { src_path: 'large', dst_path: name })
        assert.equal(status, 200, message)
        await host.must(['cmp', '/home/ada/large', `/home/ada/${name}`])
      }
    },
  )

  /**
   * Asserts the refusals when ada's home, limited to 24 MiB, is full, and success once there is space.
   */
  async function assertRefusals(expected: RegExp, refused: readonly string[]): Promise<void> {
    const [ada] = owners as [Owner]
    await as(
      'ada',
      'mkdir tree && head -c 8M /dev/urandom | (cd tree && split -b 1M) && tar -cf tree.tar tree && echo old >kept',
    )
    await as('ada', 'dd if=/dev/urandom of=fill bs=1M count=5 && sync .')
    const former = await stateOf('ada')
    const large = Buffer.alloc(7 * mebibyte, 'no two pages alike')
      .toString('base64')
      .slice(0, 7 * mebibyte)
    const operations: Readonly<Record<string, () => Promise<Answer>>> = {
      copy: () => post(ada, 'copy', { src_path: 'tree', dst_path: 'copied' }),
      compress: () => post(ada, 'compress', { paths: ['tree'], archive_name: 'packed.tar.gz' }),
      extract: () => post(ada, 'extract', { archive_path: 'tree.tar', dst_path: 'unpacked' }),
      write: () => post(ada, 'write', { path: 'kept', content: large }),
      upload: () => ada.signedIn.upload({ username: 'ada', path: '' }, 'kept', large),
    }
    for (const name of refused) {
      const { status, code, message } = await operations[name]!()
      const isOwn = name === 'copy' || name === 'compress'
      assert.deepEqual(
        [name, status, code],
        isOwn ? [name, 500, `${name}_failed`] : [name, 507, 'insufficient_storage'],
      )
      assert.match(message, expected, name)
    }
    assert.equal(await stateOf('ada'), former)
    assert.deepEqual(await leftovers('ada'), [])
    assert.equal((await post(ada, 'delete', { paths: ['fill', 'tree.tar'] })).status, 200)
    assert.equal((await post(ada, 'copy', { src_path: 'tree', dst_path: 'copied' })).status, 200)
    await host.must(['diff', '-r', '/home/ada/tree', '/home/ada/copied'])
  }

  /** Contains data at three marks; the rest is holes. */
  async function assertLargeFile(owner: Owner): Promise<void> {
    const { username } = owner
    const size = 50 * gibibyte
    const marks = { 0: 'begin', [25 * gibibyte]: 'inmid', [size - 5]: 'atend' }
    await as(username, `truncate -s ${size} large`)
    for (const [at, mark] of Object.entries(marks))
      await as(username, `printf ${mark} | dd of=large bs=1 seek=${at} conv=notrunc status=none`)
    const { items } = await get(owner, 'list')
    assert.equal(items.find(({ name }: { name: string }) => name === 'large').size_bytes, size)
    assert.equal((await get(owner, 'stat', '&path=large')).size_bytes, size)
    assert.equal((await post(owner, 'copy', { src_path: 'large', dst_path: 'copied' })).status, 200)
    for (const file of ['large', 'copied']) {
      const { stdout } = await as(username, `stat -c '%s %U' ${file}; du -B1 ${file}`)
      assert.match(stdout, new RegExp(`^${size} ${username}\n`))
      assert.ok(Number(/\n(\d+)\t/.exec(stdout)?.[1]) < 16 * mebibyte, `${file} takes ${stdout}`)
      for (const [at, mark] of Object.entries(marks)) assert.equal(await part(owner, file, Number(at)), mark)
      const { content } = await get(owner, 'read', `&path=${file}&start=${size - 5}`)
      assert.equal(content, 'atend')
    }
    assert.equal((await get(owner, 'dirsize', '&path=')).size_bytes >= 2 * size, true)
    assert.equal((await post(owner, 'delete', { paths: ['large', 'copied'] })).status, 200)
  }

  /** Five bytes of a file, as a download that is resumed asks for them. */
  async function part({ username, signedIn }: Owner, path: string, at: number): Promise<string> {
    const headers = { range: `bytes=${at}-${at + 4}` }
    const answer = await panel.request('GET', `/api/filemanager/download?username=${username}&path=${path}`, {
      token: signedIn.token,
      headers,
    })
    assert.equal(answer.status, 206)
    assert.equal(answer.headers['content-range'], `bytes ${at}-${at + 4}/${50 * gibibyte}`)
    return answer.text
  }

  /** Replaces ada's home by another one, in memory. */
  async function mountHome(options: string): Promise<void> {
    await host.must([
      'sh',
      '-c',
      `mount -t tmpfs -o ${options},mode=755,uid=$(id -u ada),gid=$(id -g ada) tmpfs /home/ada`,
    ])
  }

  async function unmountHome(): Promise<void> {
    await host.must(['umount', '--lazy', '/home/ada']) // the program that works in it still has it open
  }

  async function stateOf(username: string): Promise<string> {
    return (await as(username, 'find . -type f -not -path "./.hostreeve-*" -exec sha256sum {} + | sort'))
      .stdout
  }

  async function leftovers(username: string): Promise<readonly string[]> {
    const names = (await as(username, 'ls -A')).stdout.split('\n')
    return names.filter((name) => name.startsWith('.hostreeve-tmp-') && name !== '.hostreeve-tmp-uploads')
  }
})
