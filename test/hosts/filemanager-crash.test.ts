import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { after as afterMs, killConfined, killWhile } from './story/kill.ts'
import { SignedIn } from './story/signed-in.ts'
import type { Answer, Owner } from './story/signed-in.ts'

const isLong = Boolean(process.env['HOSTREEVE_LONG'])
/** The fractions of an operation's duration at which its workers are killed. */
const shares = isLong ? Array.from({ length: 20 }, (_, at) => (at + 1) / 20) : [0.3, 0.95]
const folders = isLong ? 12 : 4
const filesPerFolder = 250

/** One operation on a large tree; `n` is the number of the run. */
interface Operation {
  readonly action: string
  readonly prepare?: (n: number) => Promise<unknown>
  readonly send: (n: number) => Promise<Answer>
  /** Fails unless the tree is complete, in the former or the wanted state; returns which. */
  readonly outcome: (n: number) => Promise<'old' | 'new' | 'some of each'>
}

describe('the files of a home, when whoever works on them is killed', () => {
  let host: Host
  let panel: Panel
  let ada: Owner
  const home = () => join(host.rootPath, 'home/ada')
  const inHome = (path: string) => join(home(), path)
  const asAda = (line: string) =>
    host.must([
      'setpriv',
      '--reuid=ada',
      '--regid=ada',
      '--clear-groups',
      '--',
      'sh',
      '-c',
      `cd /home/ada && ${line}`,
    ])
  const post = (name: string, body: object) =>
    ada.signedIn.ask('POST', `/api/filemanager/${name}`, { username: 'ada', ...body })
  const get = (name: string, query = '') =>
    ada.signedIn.must('GET', `/api/filemanager/${name}?username=ada${query}`)

  before(async () => {
    host = await bootHost('crash')
    panel = await startPanel(host)
    ada = await (await SignedIn.as(panel)).makeOwner('ada')
    const fill = `head -c ${filesPerFolder}k /dev/urandom | (cd tree/$d && split -a 3 -b 1k - f)`
    await asAda(
      `for d in $(seq ${folders}); do mkdir -p tree/$d; ${fill}; done; chmod 711 tree/1; tar -cf tree.tar tree`,
    )
  })
  after(() => host?.remove())

  const operations: Readonly<Record<string, Operation>> = {
    'a copy': {
      action: 'filemanager_copy_file',
      send: (n) => post('copy', { src_path: 'tree', dst_path: `copy-${n}` }),
      outcome: (n) => treeOrNothing(`copy-${n}`),
    },
    'an archive that is unpacked': {
      action: 'filemanager_extract_archive',
      send: (n) => post('extract', { archive_path: 'tree.tar', dst_path: `unpacked-${n}` }),
      outcome: (n) => treeOrNothing(`unpacked-${n}`, 'tree'),
    },
    'each file under an archive that is unpacked over it': {
      action: 'filemanager_extract_archive',
      prepare: (n) =>
        asAda(
          `mkdir over-${n} && cp -r tree over-${n} && find over-${n} -type f -exec sh -c 'for file; do echo old >"$file"; done' - {} +`,
        ),
      send: (n) => post('extract', { archive_path: 'tree.tar', dst_path: `over-${n}` }),
      outcome: async (n) => {
        const entries = readdirSync(inHome('tree'), { recursive: true, withFileTypes: true }).filter(
          (entry) => entry.isFile(),
        )
        const isNew = entries.map((entry) => {
          const source = join(entry.parentPath, entry.name)
          const content = readFileSync(join(inHome(`over-${n}/tree`), relative(inHome('tree'), source)))
          const isWhole = content.equals(readFileSync(source))
          assert.ok(isWhole || content.equals(Buffer.from('old\n')), `${source}: ${content.length} bytes`)
          return isWhole
        })
        return isNew.every(Boolean) ? 'new' : isNew.some(Boolean) ? 'some of each' : 'old'
      },
    },
    'a file that is replaced': {
      action: 'filemanager_upload_file',
      prepare: (n) => asAda(`echo old >replaced-${n}`),
      send: (n) => ada.signedIn.upload({ username: 'ada', path: '' }, `replaced-${n}`, large),
      outcome: async (n) => {
        const content = readFileSync(inHome(`replaced-${n}`))
        if (content.equals(Buffer.from('old\n'))) return 'old'
        assert.equal(digest(content), digest(large))
        return 'new'
      },
    },
    'a tree that is thrown away': {
      action: 'filemanager_delete_files',
      prepare: (n) => asAda(`cp -al tree thrown-${n}`),
      send: (n) => post('delete', { paths: [`thrown-${n}`], trash: true }),
      outcome: async (n) => {
        const { items }: { items: { id: string; path: string }[] } = await get('trash')
        const thrown = items.find(({ path }) => path === `thrown-${n}`)
        assert.equal(existsSync(inHome(`thrown-${n}`)), thrown === undefined)
        if (thrown !== undefined)
          assert.equal((await post('trash/restore', { ids: [thrown.id] })).status, 200)
        assert.equal(await treeOrNothing(`thrown-${n}`), 'new')
        return thrown === undefined ? 'old' : 'new'
      },
    },
  }

  it('is rid of what a dead program left, also of folders whose modes forbid it', async () => {
    const left = '.hostreeve-tmp-7-abc-1'
    await asAda(`mkdir -p ${left}/closed/inner && touch ${left}/closed/inner/file && chmod -R a-w ${left}`)
    await assertClean()
  })

  let count = 0
  for (const [title, operation] of Object.entries(operations)) {
    it(`leaves ${title} whole old or whole new after the panel was killed, and tells that it was cut off`, async (t) => {
      const tookMs = await timed(operation)
      const outcomes: string[] = []
      for (const share of shares) {
        const n = ++count
        await operation.prepare?.(n)
        const former = await lastOf(operation.action)
        await killWhile(panel, () => operation.send(n), afterMs(tookMs * share))
        const outcome = await operation.outcome(n)
        outcomes.push(outcome)
        const told = await lastOf(operation.action)
        if (told.id === former.id) assert.equal(outcome, 'old', 'it was done, and nobody told of it')
        else if (told.status !== 'ok') assert.match(told.message, /cut off by a restart/)
        await assertClean()
        await asAda(removeMade)
      }
      t.diagnostic(`${Math.round(tookMs)} ms: ${outcomes.join(' ')}`)
    })

    it(`leaves ${title} whole old or whole new after the program that works on it was killed`, async (t) => {
      const tookMs = await timed(operation)
      const outcomes: string[] = []
      for (const share of shares) {
        const n = ++count
        await operation.prepare?.(n)
        const isDue = afterMs(tookMs * share)
        const sent = operation.send(n)
        await poll('the moment', 60_000, async () => (isDue() ? true : undefined))
        await killConfined(host)
        const { status, message } = await sent
        assert.ok(status < 300 || /the helper process of ada ended/.test(message), `${status} ${message}`)
        // work that ended just before the kill leaves the killed program to the next request
        await poll('a program that answers', 10_000, async () =>
          (await ada.signedIn.ask('GET', '/api/filemanager/trash?username=ada')).status === 200
            ? true
            : undefined,
        )
        const outcome = await operation.outcome(n)
        if (status < 300) assert.equal(outcome, 'new')
        outcomes.push(outcome)
        await assertClean()
        await asAda(removeMade)
      }
      t.diagnostic(`${Math.round(tookMs)} ms: ${outcomes.join(' ')}`)
    })
  }

  const large = Buffer.alloc(24 * 1024 * 1024, 'a line of a large file\n')
  const removeMade = 'rm -rf copy-* unpacked-* over-* thrown-* replaced-*'

  /** The duration of the operation without interference. */
  async function timed(operation: Operation): Promise<number> {
    const n = ++count
    await operation.prepare?.(n)
    const startedAt = performance.now()
    const answer = await operation.send(n)
    const tookMs = performance.now() - startedAt
    assert.ok(answer.status < 300, answer.message)
    assert.equal(await operation.outcome(n), 'new')
    await asAda(removeMade)
    return tookMs
  }

  async function treeOrNothing(path: string, below = ''): Promise<'old' | 'new'> {
    if (!existsSync(inHome(path))) return 'old'
    const compared = await host.exec(
      ['diff', '-r', '--no-dereference', '/home/ada/tree', join('/home/ada', path, below)],
      { timeoutMs: 60_000 },
    )
    assert.equal(compared.code, 0, `${path} is neither whole nor absent: ${compared.stdout.slice(0, 300)}`)
    assert.equal(await modesOf(join(path, below)), await modesOf('tree'))
    return 'new'
  }

  async function modesOf(path: string): Promise<string> {
    const { stdout } = await host.must(['find', `/home/ada/${path}`, '-printf', '%P %y %m %U %s %T@\n'])
    return digest(
      Buffer.from(
        stdout
          .replaceAll(/\.\d+$/gm, '')
          .split('\n')
          .sort()
          .join('\n'),
      ),
    )
  }

  /** The latest activity entry of operations of a kind. */
  async function lastOf(
    action: string,
  ): Promise<{ readonly id: number; readonly status: string; readonly message: string }> {
    return (await ada.signedIn.must('GET', `/api/activity/mine?limit=1&action=${action}`)).items[0]
  }

  /** The next access to the home removes the remains of killed helpers, and later operations work. */
  async function assertClean(): Promise<void> {
    await get('list')
    const leftovers = () =>
      readdirSync(home()).filter(
        (name) => name.startsWith('.hostreeve-tmp-') && name !== '.hostreeve-tmp-uploads',
      )
    await poll('what the dead left to be removed', 20_000, async () =>
      leftovers().length === 0 ? true : undefined,
    ).catch((cause) => {
      throw new Error(`left: ${leftovers().join(' ')}`, { cause })
    })
    assert.equal((await post('write', { path: 'after.txt', content: 'works\n' })).status, 200)
  }
})

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
