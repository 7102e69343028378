import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { enforceSlice, type SliceInForce } from './story/slice-limits.ts'
import { visit } from './story/visit.ts'

const isLong = Boolean(process.env['HOSTREEVE_LONG'])
const limits = { tasks: 60, memory_mb: 192 }

/** Forks as often as it can for half a minute. Should no limit hold, `prlimit` stops it at 400 processes, and time ends it. */
const bomb = `exec prlimit --nproc=400 perl -e 'my $end = time + 30; while (time < $end) { my $pid = fork; select undef, undef, undef, 0.1 unless defined $pid }'`
/** Takes memory up to 600 MB, which no limit of this test admits. */
const hog = `perl -e 'my @held; push @held, "x" x 1e6 while @held < 600; print "took it all"'; echo ended $?`

describe(
  'an owner whose programs go wild',
  { skip: isLong ? false : 'goes wild for a minute in the long form (HOSTREEVE_LONG=1)' },
  () => {
    let host: Host
    let panel: Panel
    let ada: Owner
    let bob: Owner
    let slice: SliceInForce
    before(async () => {
      host = await bootHost('wild')
      panel = await startPanel(host)
      const admin = await SignedIn.as(panel)
      await admin.installNginx()
      ada = await admin.makeOwner('ada')
      bob = await admin.makeOwner('bob')
      for (const owner of [ada, bob]) {
        const domain = `${owner.username}.example.com`
        await owner.signedIn.must('POST', '/api/websites', { domain, type: 'php' })
        await write(owner, 'index.php', `<?php echo 'served by ', posix_geteuid();`)
      }
      await write(
        ada,
        'bomb.php',
        `<?php shell_exec(<<<'END'\n(${bomb}) >/dev/null 2>&1 &\nEND);\necho 'begun';`,
      )
      await write(ada, 'hog.php', `<?php echo shell_exec(<<<'END'\n${hog}\nEND);`)
      await admin.must('POST', '/api/limits', { users: [{ user_id: ada.userId, limits }] })
      assert.equal(await home('ada'), `served by ${await uidOf('ada')}`)
      slice = await enforceSlice(host, await uidOf('ada'), 'wild')
    })
    after(async () => {
      await host?.remove()
      await slice?.close()
    })

    const write = (owner: Owner, name: string, content: string) =>
      owner.signedIn.must('POST', '/api/filemanager/write', {
        ...{ username: owner.username, content },
        path: `sites/${owner.username}.example.com/public/${name}`,
      })
    const uidOf = async (name: string) => (await host.must(['id', '-u', name])).stdout.trim()
    const home = async (name: string) => (await visit(host, `${name}.example.com`)).text
    /** Visits Bob's website until something is over, and at least a hundred times; every answer must be his page. */
    const visitBob = async (isOver: () => Promise<boolean>) => {
      const expected = `served by ${await uidOf('bob')}`
      for (let count = 0; count < 100 || !(await isOver()); count++) {
        assert.ok(count < 100_000, 'it is never over')
        const { status, text } = await visit(host, 'bob.example.com')
        assert.deepEqual([status, text], [200, expected])
      }
    }
    const isRunning = async (pattern: string) =>
      (await host.exec(['pgrep', '--uid', await uidOf('ada'), '--full', pattern])).code === 0

    it('makes processes up to the limit of the owner, while the websites of others answer', async () => {
      const begun = await visit(host, 'ada.example.com', '/bomb.php')
      assert.equal(begun.text, 'begun')
      await visitBob(async () => (await slice.refusedProcesses()) > 0)
      await visitBob(async () => !(await isRunning('my .end = time')))
      assert.ok((await slice.refusedProcesses()) > 0, 'the kernel refused further processes')
      assert.equal(await home('ada'), `served by ${await uidOf('ada')}`)
    })

    it('is killed at the limit of the memory, while the websites of others answer', async () => {
      const taking = visit(host, 'ada.example.com', '/hog.php')
      let isOver = false
      taking.finally(() => (isOver = true)).catch(() => {})
      await visitBob(async () => isOver)
      assert.doesNotMatch((await taking).text, /took it all/)
      assert.ok((await slice.killedForMemory()) > 0, 'the kernel ended it')
      assert.equal(await home('ada'), `served by ${await uidOf('ada')}`)
    })

    it('leaves the limits and the panel as they were', async () => {
      const { users } = await ada.signedIn.must('GET', '/api/limits')
      assert.deepEqual([users[0].limits.tasks, users[0].limits.memory_mb], [limits.tasks, limits.memory_mb])
      assert.equal((await panel.request('GET', '/readyz')).status, 200)
    })
  },
)
