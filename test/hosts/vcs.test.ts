import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { GitServer, token } from './story/git-server.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'

describe('version control with a git server on another host', () => {
  let [host, other, panel, server, admin, alice] = [
    {} as Host,
    {} as Host,
    {} as Panel,
    {} as GitServer,
    {} as SignedIn,
    {} as Owner,
  ]
  const post = (verb: string, body: object, as = admin) =>
    as.ask('POST', `/api/filemanager/vcs/${verb}`, { username: 'alice', path: 'shop', ...body })
  /** Runs the job of a call to its end. */
  const job = async (verb: string, body: object = {}) => {
    const { status, data, message } = await post(verb, body)
    assert.equal(status, 202, message)
    const events = await admin.followJob(data.job_id)
    const row = await admin.must('GET', `/api/jobs/${data.job_id}`)
    return { state: String(row.state), error: String(row.error ?? ''), output: JSON.stringify(events) }
  }
  const succeeds = async (verb: string, body: object = {}) => {
    const ended = await job(verb, body)
    assert.equal(ended.state, 'succeeded', ended.error + ended.output.slice(-600))
    return ended
  }
  const read = (verb: string, query: Readonly<Record<string, string>> = {}) =>
    admin.must(
      'GET',
      `/api/filemanager/${verb}?${new URLSearchParams({ username: 'alice', path: 'shop', ...query })}`,
    )
  const commit = async (path: string, content: string, message: string) => {
    await admin.must('POST', '/api/filemanager/write', { username: 'alice', path: `shop/${path}`, content })
    return admin.must('POST', '/api/filemanager/vcs/commit', {
      username: 'alice',
      path: 'shop',
      message,
      all: true,
    })
  }
  const leftovers = async () =>
    (await host.must(['find', '/home/alice', '-maxdepth', '1', '-name', '.hostreeve-tmp*'])).stdout
  const isThere = async (path: string) => (await host.exec(['test', '-e', path])).code === 0
  const signIn = () => ({ login: 'git', private_key: server.privateKey })

  before(async () => {
    ;[host, other] = await Promise.all([
      bootHost('vcs1', { addresses: ['10.77.0.31/24'] }),
      bootHost('vcs2', { addresses: ['10.77.0.32/24'] }),
    ])
    ;[panel, server] = await Promise.all([startPanel(host), GitServer.start(other, '10.77.0.32')])
    admin = await SignedIn.as(panel)
    alice = await admin.makeOwner('alice')
  })
  after(async () => {
    await host.remove?.()
    await other.remove?.()
  })

  it('clones over ssh: the key of the server is kept at the first contact, and told', async () => {
    const { output } = await succeeds('clone', { url: server.ssh, credentials: signIn(), remember: true })
    const fingerprint = await server.fingerprint()
    assert.ok(output.includes(fingerprint), output)
    const { branch, remotes, upstream } = await read('vcs')
    assert.deepEqual(
      [branch, upstream, remotes[0].url, remotes[0].server_fingerprint],
      ['main', 'origin/main', server.ssh, fingerprint],
    )
    assert.match(remotes[0].credentials.private_key, /•/)
    assert.equal((await host.must(['stat', '-c', '%U', '/home/alice/shop/.git/HEAD'])).stdout.trim(), 'alice')
    assert.equal(await leftovers(), '')
  })

  it('commits, pushes and pulls over ssh', async () => {
    await commit('mine.txt', 'mine\n', 'Mine')
    await succeeds('push')
    assert.equal(await server.lastSubject(), 'Mine')
    await server.commit('theirs.txt', 'theirs\n')
    await succeeds('pull')
    assert.equal((await read('read', { path: 'shop/theirs.txt' })).content, 'theirs\n')
    assert.deepEqual(
      (await read('vcs/log')).items.map(({ subject }: { subject: string }) => subject),
      ['Change theirs.txt', 'Mine', 'Change index.html'],
    )
    assert.match((await read('vcs/diff', { from: 'HEAD~1', to: 'HEAD' })).patch, /\+theirs/)
    assert.equal((await read('vcs/show', { commit: 'HEAD~1' })).files[0].path, 'shop/mine.txt')
  })

  it('is refused with a key that the server does not know, and with none', async () => {
    for (const credentials of [{ login: 'git', private_key: await server.strangerKey() }, undefined]) {
      const { state, error } = await job('clone', {
        path: 'no',
        url: server.ssh,
        ...(credentials && { credentials }),
      })
      assert.deepEqual([state, /credentials/.test(error)], ['failed', true], error)
    }
    assert.deepEqual([await isThere('/home/alice/no'), await leftovers()], [false, ''])
  })

  it('sends nothing to a server whose key changed, until the new one is accepted by its fingerprint', async () => {
    await commit('later.txt', 'later\n', 'Later')
    const former = await server.fingerprint()
    await server.changeHostKeys()
    const fingerprint = await server.fingerprint()
    const refused = await job('push')
    assert.deepEqual(
      [refused.state, refused.error.includes(fingerprint), refused.error.includes(former)],
      ['failed', true, true],
      refused.error,
    )
    const wrong = await job('push', { accept_fingerprint: `SHA256:${'A'.repeat(43)}` })
    assert.deepEqual([wrong.state, await server.lastSubject()], ['failed', 'Change theirs.txt'])
    await succeeds('push', { accept_fingerprint: fingerprint })
    assert.equal(await server.lastSubject(), 'Later')
    await succeeds('pull')
  })

  it('goes over http to who has the token; a wrong one is refused', async () => {
    await succeeds('clone', { path: 'web', url: server.http })
    await admin.must('POST', '/api/filemanager/write', {
      username: 'alice',
      path: 'web/web.txt',
      content: 'web',
    })
    await admin.must('POST', '/api/filemanager/vcs/commit', {
      username: 'alice',
      path: 'web',
      message: 'Over http',
      all: true,
    })
    const wrong = await job('push', { path: 'web', credentials: { login: 'ann', password: 'a wrong token' } })
    assert.deepEqual(
      [wrong.state, /rejected these credentials/.test(wrong.error), wrong.output.includes('a wrong token')],
      ['failed', true, false],
      wrong.error,
    )
    await succeeds('push', { path: 'web', credentials: { login: 'ann', password: token }, remember: true })
    assert.equal(await server.lastSubject(), 'Over http')
    await succeeds('pull', { path: 'web' })
  })

  it('goes over ssh to another port than 22, and knows its key apart', async () => {
    await succeeds('clone', { path: 'ported', url: server.sshOnPort, credentials: signIn(), remember: true })
    await succeeds('pull', { path: 'ported' })
    const { remotes } = await read('vcs', { path: 'ported' })
    assert.deepEqual(
      [remotes[0].url, remotes[0].server_fingerprint],
      [server.sshOnPort, await server.fingerprint()],
    )
  })

  it('goes over https to a certificate that the host trusts, and to no other', async () => {
    const { state, error } = await job('clone', { path: 'safe', url: server.https })
    assert.deepEqual(
      [state, /certificate/.test(error), await isThere('/home/alice/safe')],
      ['failed', true, false],
      error,
    )
    await writeFile(
      join(host.rootPath, 'usr/local/share/ca-certificates/git.crt'),
      await server.certificate(),
    )
    await host.must(['update-ca-certificates'])
    await succeeds('clone', { path: 'safe', url: server.https })
  })

  it('does not reach an internal address for who is no superuser', async () => {
    for (const url of [server.http, server.ssh, 'http://127.0.0.1:7070/x'])
      assert.deepEqual(
        [(await post('clone', { path: 'no', url }, alice.signedIn)).status, await isThere('/home/alice/no')],
        [400, false],
        url,
      )
    assert.equal((await post('pull', {}, alice.signedIn)).status, 400)
  })

  it('shows the token to nobody while it works, and ends with nothing left when it is cancelled', async () => {
    await server.hold(true)
    const { data } = await post('clone', {
      path: 'held',
      url: server.http,
      credentials: { login: 'ann', password: token },
    })
    await poll('git to run', 20_000, async () =>
      (await host.exec(['pgrep', '-u', 'alice', '-f', 'remote-http'])).code === 0 ? true : undefined,
    )
    const seen = await host.exec(['grep', '-rlsaE', token, '/var/log', ...(await processes())])
    assert.equal(seen.stdout, '')
    await admin.must('POST', `/api/jobs/${data.job_id}/cancel`)
    await admin.followJob(data.job_id)
    assert.equal((await admin.must('GET', `/api/jobs/${data.job_id}`)).state, 'cancelled')
    assert.deepEqual([await isThere('/home/alice/held'), await leftovers()], [false, ''])
    assert.equal((await host.exec(['pgrep', '-u', 'alice', '-f', 'git'])).stdout, '')
    assert.ok(!(await panel.log()).includes(token))
  })

  it('begins a clone again after kill -9 of the panel, with nothing left of the first one', async () => {
    const { data } = await post('clone', { path: 'again', url: server.http })
    await poll('git to run', 20_000, async () =>
      (await host.exec(['pgrep', '-u', 'alice', '-f', 'remote-http'])).code === 0 ? true : undefined,
    )
    await panel.kill9()
    await poll('git to end', 10_000, async () =>
      (await host.exec(['pgrep', '-u', 'alice'])).code === 1 ? true : undefined,
    )
    assert.equal(await isThere('/home/alice/again'), false)
    await server.hold(false)
    await panel.start()
    admin = await SignedIn.as(panel)
    await admin.followJob(data.job_id)
    assert.equal((await admin.must('GET', `/api/jobs/${data.job_id}`)).state, 'succeeded')
    assert.deepEqual([await isThere('/home/alice/again/index.html'), await leftovers()], [true, ''])
  })

  it('tells that a push was interrupted by kill -9 of the panel', async () => {
    await server.hold(true)
    const { data } = await post('push', { path: 'web' })
    await poll('git to run', 20_000, async () =>
      (await host.exec(['pgrep', '-u', 'alice', '-f', 'remote-http'])).code === 0 ? true : undefined,
    )
    await panel.kill9()
    await server.hold(false)
    await panel.start()
    admin = await SignedIn.as(panel)
    assert.equal((await admin.must('GET', `/api/jobs/${data.job_id}`)).state, 'interrupted')
    await succeeds('pull', { path: 'web' })
    assert.equal(
      (await host.must(['find', '/tmp', '-maxdepth', '1', '-name', 'hostreeve-git-*'])).stdout,
      '',
      'ways of the killed panel are left',
    )
  })

  async function processes(): Promise<readonly string[]> {
    const pids = (await host.must(['pgrep', '-u', 'alice'])).stdout.trim().split('\n')
    return pids.flatMap((pid) => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`])
  }
})
