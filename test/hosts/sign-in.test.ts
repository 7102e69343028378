import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { eventsOf, SignedIn } from './story/signed-in.ts'
import type { StreamedEvent } from './story/signed-in.ts'
import { until } from '../support/until.ts'

const email = 'second@hosts.test'
const password = 'the password of the second'

describe('sign-in, over real sockets', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let second: SignedIn
  let secondId: number

  before(async () => {
    host = await bootHost('signin', { without: ['nginx'] })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    secondId = (
      await admin.must('POST', '/api/users', { email, password, fullname: 'The second', is_admin: true })
    ).id
    second = await SignedIn.as(panel, email, password)
  })
  after(() => host?.remove())

  it('ends the token and the open stream of a user at once who is suspended', async () => {
    const job = await startSlowJob()
    const stream = await second.openStream(`/api/jobs/${job}/events`)
    const events = collect(stream)
    assert.equal((await second.ask('GET', '/api/auth/me')).status, 200)
    await admin.must('PATCH', `/api/users/${secondId}`, { is_suspended: true })
    const refused = await second.ask('GET', '/api/auth/me')
    assert.deepEqual([refused.status, refused.code], [401, 'unauthorized'])
    const seen = await events
    assert.equal(seen.at(-1)?.['type'], 'error', JSON.stringify(seen.slice(-3)))
    await assert.rejects(panel.signIn(email, password), /401|403/)
    await admin.must('PATCH', `/api/users/${secondId}`, { is_suspended: false })
    await endSlowJob(job)
  })

  it('keeps sessions over a restart of the panel', async () => {
    await panel.restart()
    assert.equal((await admin.ask('GET', '/api/auth/me')).status, 200)
    await panel.kill9()
    await panel.start()
    assert.equal((await admin.ask('GET', '/api/auth/me')).status, 200)
  })

  it('ends streams with an error event when the panel is told to stop', async () => {
    await host.must(['apt-get', '-q', '-y', 'purge', '--autoremove', 'nginx', 'nginx-common'], {
      timeoutMs: 60_000,
    })
    const job = await startSlowJob()
    const events = collect(await admin.openStream(`/api/jobs/${job}/events`))
    await panel.stop()
    assert.equal((await events).at(-1)?.['type'], 'error')
    await host.must(['rm', '-f', '/run/slow'])
    await panel.start()
    // the recovery of its change ends it, beside the first requests: it waits for apt, and removes what apt has installed
    const isInterrupted = async () => (await admin.must('GET', `/api/jobs/${job}`)).state === 'interrupted'
    await until(isInterrupted, { limitMs: 90_000, everyMs: 100 })
    assert.notEqual((await host.exec(['test', '-e', '/usr/sbin/nginx'])).code, 0, 'nothing of it is left')
  })

  it('leaves the data directory to the panel that has it', async () => {
    const environment = { HOSTREEVE_DATA_DIR: panel.environment.HOSTREEVE_DATA_DIR, HOSTREEVE_PORT: '7071' }
    const other = await host.exec(
      ['/opt/hostreeve/node_modules/.bin/node', '/opt/hostreeve/dist/hostreeve.mjs', 'serve'],
      {
        env: environment,
        timeoutMs: 15_000,
      },
    )
    assert.notEqual(other.code, 0)
    assert.notEqual(other.code, 124, 'it ends by itself')
    assert.match(other.stderr, /another panel|already|in use|runs on/i)
    assert.equal((await admin.ask('GET', '/api/auth/me')).status, 200)
  })

  it('leaves an activity log whose chain is whole', async () => {
    const verification = await admin.must('GET', '/api/activity/verify')
    assert.equal(verification.ok, true)
    assert.ok(verification.checked >= 5)
  })

  /** A job that lasts until it is let go: an installation that apt keeps waiting before it unpacks anything. */
  async function startSlowJob(): Promise<number> {
    await host.must(['rm', '-f', '/run/slow.met']) // the hook of an earlier job runs in every call of dpkg
    await host.must(['touch', '/run/slow'])
    const hook =
      'DPkg::Pre-Invoke { "touch /run/slow.met; while test -e /run/slow; do sleep 0.05; done"; };\n'
    await writeFile(join(host.rootPath, 'etc/apt/apt.conf.d/99slow'), hook)
    const { job_id } = await admin.must('POST', '/api/programs/nginx/install')
    await poll('apt to wait', 20_000, async () =>
      (await host.exec(['test', '-e', '/run/slow.met'])).code === 0 ? true : undefined,
    )
    await host.must(['rm', '/run/slow.met'])
    return job_id
  }

  async function endSlowJob(job: number): Promise<void> {
    await host.must(['rm', '-f', '/run/slow'])
    const events = await admin.followJob(job)
    assert.equal(events.at(-1)?.['type'], 'end')
  }
})

async function collect(stream: Parameters<typeof eventsOf>[0]): Promise<readonly StreamedEvent[]> {
  const events: StreamedEvent[] = []
  for await (const event of eventsOf(stream)) events.push(event)
  return events
}
