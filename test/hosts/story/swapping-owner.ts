import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { constants, gunzipSync } from 'node:zlib'
import { bootHost, poll, startPanel } from '../harness/index.ts'
import type { Host, Panel } from '../harness/index.ts'
import { killPrograms, swapLinks } from './attacker.ts'
import type { Attack } from './attacker.ts'
import { SignedIn } from './signed-in.ts'
import type { Answer, Owner } from './signed-in.ts'
import { tarGz } from './tar.ts'

/** Rounds of each operation: 100 here, 10,000 in the long form (HOSTREEVE_LONG=1). */
const rounds = process.env['HOSTREEVE_LONG'] ? 10_000 : 100
const atOnce = 4
/** Remains of operations, which would slow down the next ones with each round. */
const results = ['copies-*', 'packed-*', 'moved-*', 'a/.git', 'a/b/.git', 'a/b/made-*', 'a/b/renamed-*']
const secret = 'THE-SECRET-OF-SOMEBODY-ELSE'

/** The request of an operation in its n-th round. */
type Operation = (n: number) => Promise<Answer | readonly Answer[]>

type Part = 'reading' | 'changing' | 'moving'

/**
 * Swaps files of an owner for links to those of root and another owner, without end, while the panel carries out the operations
 * that read them, change them, or lock them and put them elsewhere; nothing of the others may be reached.
 */
export function attack(part: Part): void {
  describe(`an owner who swaps files for links while the panel is ${part} them`, () => attackBy(part))
}

function attackBy(part: Part): void {
  let host: Host
  let panel: Panel
  let ada: Owner
  let signedInAt = 0
  let swapping: Attack
  let former: ReadonlySet<string>

  const ask = (method: string, name: string, body?: object) => {
    const path = `/api/filemanager/${name}`
    if (method === 'POST') return ada.signedIn.ask(method, path, { username: 'ada', ...body })
    return ada.signedIn.ask(method, `${path}?${new URLSearchParams({ username: 'ada', ...body })}`)
  }
  const post = (name: string, body: object) => ask('POST', name, body)
  const get = (name: string, query: object) => ask('GET', name, query)
  const target = (n: number): string => ['a/b/f', 'a/b', 'a'][n % 3]!

  before(async () => {
    host = await bootHost(part)
    panel = await startPanel(host)
    const admin = await SignedIn.as(panel)
    ada = await admin.makeOwner('ada')
    await admin.makeOwner('bob')
    const setUp = [
      'mkdir -p /home/bob/a/b && echo "$0" >/home/bob/a/b/f && cp /home/bob/a/b/f /home/bob/f && chown -R bob:bob /home/bob',
      'chmod -R go= /home/bob && echo "$0" >/root/secret && chmod 600 /root/secret',
    ]
    for (const line of setUp) await host.must(['sh', '-c', line, secret])
    await ada.signedIn.must('POST', '/api/filemanager/write', {
      username: 'ada',
      path: 'own.txt',
      content: 'mine\n',
    })
    const archive = tarGz([
      { name: 'f', content: 'unpacked\n' },
      { name: 'b/f', content: 'unpacked\n' },
    ])
    assert.equal(
      (await ada.signedIn.upload({ username: 'ada', path: '' }, 'good.tar.gz', archive)).status,
      201,
    )
    former = await others(host)
    swapping = await swapLinks(host, 'ada', ['/home/bob/a', '/root/secret'])
  })
  after(() => host?.remove())

  const reading: Readonly<Record<string, Operation>> = {
    list: (n) => get('list', { path: target(n) }),
    stat: (n) => get('stat', { path: target(n) }),
    read: () => get('read', { path: 'a/b/f' }),
    download: () => get('download', { path: 'a/b/f' }),
    'download of a folder': (n) => get('download', { path: target(n), archive: 'tar.gz' }),
    dirsize: (n) => get('dirsize', { path: target(n) }),
    'search by name': (n) => get('search', { path: target(n), query: 'f' }),
    'search by content': (n) => get('search', { path: target(n), query: 'SECRET', in: 'content' }),
    compress: (n) => post('compress', { paths: [target(n)], archive_name: `packed-${n}.tar` }),
    copy: (n) => post('copy', { src_path: target(n), dst_path: `copies-${n}` }),
    'version control': (n) => {
      const path = n % 2 ? 'a/b' : 'a'
      return [
        () => post('vcs/init', { path }),
        () => post('vcs/commit', { path, message: 'All of it', all: true }),
        () => get('vcs', { path }),
        () => get('vcs/diff', { path }),
        () => get('vcs/log', { path }),
        () => get('vcs/show', { path, commit: 'HEAD' }),
        () => post('vcs/revert', { path, paths: [`${path}/f`] }),
      ][n % 7]!()
    },
  }
  const changing: Readonly<Record<string, Operation>> = {
    write: (n) => post('write', { path: 'a/b/f', content: `round ${n}\n` }),
    mkdir: (n) => post('mkdir', { path: `a/b/made-${n}` }),
    upload: (n) => ada.signedIn.upload({ username: 'ada', path: n % 2 ? 'a/b' : 'a' }, 'f', `round ${n}\n`),
    'upload in parts': async (n) => {
      const query = new URLSearchParams({
        username: 'ada',
        path: n % 2 ? 'a/b' : 'a',
        name: 'f',
        resumable: 'true',
        size_bytes: '6',
      })
      const opened = await ada.signedIn.ask('POST', `/api/filemanager/upload?${query}`)
      if (opened.status !== 201) return opened
      const part = (offset: number) =>
        ada.signedIn.ask(
          'PATCH',
          `/api/filemanager/upload/${opened.data.id}?offset=${offset}`,
          Buffer.from('abc'),
        )
      const sent = [await part(0), await part(3)]
      return [...sent, await ada.signedIn.ask('DELETE', `/api/filemanager/upload/${opened.data.id}`)]
    },
    'history and its restoring': async () => {
      await post('write', { path: 'a/b/f', content: `version ${Math.random()}\n` })
      const found = await get('history', { path: 'a/b/f' })
      const id = found.data?.items?.[0]?.id as number | undefined
      if (id === undefined) return found
      return [
        await get('history/content', { id }),
        await get('history/diff', { from: id }),
        await post('history/restore', { id }),
      ]
    },
    chmod: (n) => post('chmod', { path: target(n), mode: '777', recursive: true }),
  }
  const moving: Readonly<Record<string, Operation>> = {
    'lock and unlock': async (n) => [
      await post('lock', { path: target(n), recursive: n % 2 === 0 }),
      await post('unlock', { path: target(n), recursive: true }),
      ...(await Promise.all(
        ['a.l', 'a/b.l', 'a/b/f.l'].map((path) => post('unlock', { path, recursive: true })),
      )),
    ],
    'copy into a swapped folder': (n) =>
      post('copy', { src_path: 'own.txt', dst_path: n % 2 ? 'a/b/f' : 'a/f', overwrite: true }),
    extract: (n) => post('extract', { archive_path: 'good.tar.gz', dst_path: n % 2 ? 'a/b' : 'a' }),
    'move and rename': async (n) => [
      await post('move', { src_path: target(n), dst_path: `moved-${n}` }),
      await post('rename', { path: 'a/b/f', new_name: `renamed-${n}` }),
      await post('move', { src_path: `moved-${n}`, dst_path: 'a/b/f', overwrite: true }),
    ],
    'delete for good': (n) => post('delete', { paths: [target(n)] }),
    'trash and restore': async (n) => {
      const thrown = await post('delete', { paths: [target(n)], trash: true })
      const { data } = await get('trash', { per_page: 1 })
      const id = data?.items?.[0]?.id as string | undefined
      return id === undefined ? thrown : [thrown, await post('trash/restore', { ids: [id] })]
    },
    'emptying of the trash': async (n) => [
      await post('delete', { paths: [target(n)], trash: true }),
      await post('trash/empty', {}),
    ],
  }

  const operations = { reading, changing, moving }[part]

  for (const [title, operation] of Object.entries(operations))
    it(`reaches nothing of somebody else by ${title}`, async () => {
      const answers = await repeat(operation)
      assert.ok(
        answers.some(({ status }) => status < 300),
        `never worked: ${answers[0]?.message}`,
      )
      for (const { code, message } of answers) {
        assert.notEqual(code, 'server_error', message)
        assert.ok(!message.includes(secret), message)
      }
      // twice: the first look may miss a file that is being swapped
      if (title === 'lock and unlock')
        for (const time of ['once', 'twice'])
          await poll(`everything to be unlocked ${time}`, 30_000, unlockAll)
      await nothingTouched()
      await host.exec(
        ['runuser', '-u', 'ada', '--', 'sh', '-c', `cd /home/ada && rm -rf ${results.join(' ')}`],
        { timeoutMs: 120_000 },
      )
    })

  it('reaches nothing of somebody else by killing and tracing the programs that work for him either', async () => {
    const killing = await killPrograms(host, 'ada')
    for (const operation of Object.values(operations))
      await repeat((n) => operation(n).catch(asCut), Math.ceil(rounds / 10))
    await killing.stop()
    await swapping.stop()
    await nothingTouched()
    assert.equal((await post('write', { path: 'after.txt', content: 'works\n' })).status, 200)
  })

  /** Sends requests repeatedly, several at a time; asserts that no reply contains a secret. */
  async function repeat(operation: Operation, times = rounds): Promise<readonly Answer[]> {
    const answers: Answer[] = []
    let next = 0
    const worker = async () => {
      while (next < times) {
        await staySignedIn()
        answers.push(...[await operation(next++)].flat())
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    assert.deepEqual(
      answers.filter(({ status }) => status === 401 || status === 429),
      [],
      'a round that was turned away at the door is none',
    )
    for (const answer of answers) assert.ok(!bodyOf(answer).includes(secret))
    return answers
  }

  /** A lock stays if unlocking found a link instead. */
  async function unlockAll(): Promise<true | undefined> {
    for (const path of ['a', 'a.l', 'a/b.l', 'a/b/f.l']) await post('unlock', { path, recursive: true })
    const { stdout } = await host.must(['lsattr', '-R', '-a', '/home/ada'])
    return /^[^/ ]*i[^/ ]* /m.test(stdout) ? undefined : true
  }

  /** The long form takes longer than a token is valid. */
  async function staySignedIn(): Promise<void> {
    if (performance.now() - signedInAt < 5 * 60_000) return
    signedInAt = performance.now()
    ada = { ...ada, signedIn: await SignedIn.as(panel, ada.email, ada.password) }
  }

  async function nothingTouched(): Promise<void> {
    const now = await others(host)
    const changed = {
      before: [...former].filter((line) => !now.has(line)),
      now: [...now].filter((line) => !former.has(line)),
    }
    assert.deepEqual(changed, { before: [], now: [] })
    const found = await host.exec(['grep', '-raF', secret, '/home/ada', '--exclude-dir=proc'], {
      timeoutMs: 60_000,
    })
    assert.equal(found.stdout, '', 'a secret came into the home')
    const foreign = await host.exec(['find', '/home/ada', '-not', '-user', 'ada'])
    assert.equal(foreign.stdout, '', 'something in the home belongs to somebody else')
  }
}

/** A download whose program was killed ends in the middle, which is no answer. */
function asCut(error: unknown): readonly Answer[] {
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET') return []
  throw error
}

/** The received content, unpacked if it is an archive. */
function bodyOf({ bytes }: Answer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
    ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
    : bytes
}

/** All files of root and of the other owner: names, modes, owners, sizes, mtimes, ctimes and flags. */
async function others(host: Host): Promise<Set<string>> {
  const folders = ['/root', '/home/bob', '/etc'] as const
  const { stdout } = await host.must(['find', ...folders, '-printf', '%p %y %m %U:%G %s %T@ %C@ %l\n'])
  const { stdout: flags } = await host.must(['lsattr', '-R', '-a', '/home/bob', '/root'])
  return new Set([...stdout.split('\n'), ...flags.split('\n')])
}
