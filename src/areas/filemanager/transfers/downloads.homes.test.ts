import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  chownSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { skip } from '../../../host/owner/testing/homes.ts'
import type { Answer, Person } from '../../../../test/support/panel.ts'
import type { Context } from '../context.ts'
import { aliceUid, openFilesBench, type FilesBench } from '../testing/files-bench.ts'
import { stepRun } from '../../../../test/support/step-run.ts'
import { until } from '../../../../test/support/until.ts'

type Serve = (request: IncomingMessage, response: ServerResponse) => unknown
const hidden = '.hostreeve-tmp-uploads'
const refusal = ({ status, error }: Answer) => [status, error?.code]

describe('downloads from a URL', { skip }, () => {
  let bench: FilesBench
  let serve: Serve
  let asked: IncomingMessage[] = []
  const server = createServer((request, response) => void (asked.push(request), serve(request, response)))
  const allowed = createServer(
    (request, response) =>
      void (request.url === '/allowed.txt' ? response.end('allowed') : serve(request, response)),
  )
  const url = (path: string, host = '127.0.0.1') =>
    `http://${host}:${(server.address() as AddressInfo).port}${path}`
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await new Promise<void>((resolve) =>
      allowed.listen((server.address() as AddressInfo).port, '127.0.0.3', resolve),
    )
    const resolve = async (name: string) =>
      name === 'inside.test' ? ['127.0.0.1'] : name === 'allowed.test' ? ['127.0.0.3'] : []
    bench = await openFilesBench({
      addresses: { resolve, allow: ['127.0.0.3'] },
      fetch: { stallMs: 2000, connectMs: 3000 },
    })
    mkdirSync(bench.at('into'))
    chownSync(bench.at('into'), aliceUid, aliceUid)
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    allowed.close()
    await bench.remove()
  })
  afterEach(() => {
    asked = []
    assert.deepEqual(
      existsSync(bench.at(hidden)) ? readdirSync(bench.at(hidden)) : [],
      [],
      'nothing is left of it',
    )
  })

  const post = (verb: string, body: object, as: Person = bench.panel.admin) =>
    bench.panel.request('POST', `/api/filemanager/${verb}`, { as, body: { username: 'alice', ...body } })
  const job = async (id: number, as: Person = bench.panel.admin) => {
    let found: Answer
    await until(async () => {
      found = await bench.panel.request('GET', `/api/jobs/${id}`, { as })
      return !['queued', 'running'].includes(found.data.state)
    })
    return found!.data
  }

  it('reply once the file is complete and belongs to the owner', async () => {
    serve = (_request, response) => response.end('the bytes')
    const { status, data, text } = await post('download-url', {
      path: 'into',
      url: url('/a/na%C3%AFve%20file.txt?token=secret'),
    })
    assert.deepEqual([status, data], [200, { file: 'into/naïve file.txt', size_bytes: 9 }], text)
    const found = statSync(bench.at('into/naïve file.txt'))
    assert.deepEqual(
      [found.uid, found.mode & 0o7777, readFileSync(bench.at('into/naïve file.txt'), 'utf8')],
      [aliceUid, 0o644, 'the bytes'],
    )
    assert.equal(asked[0]?.url, '/a/na%C3%AFve%20file.txt?token=secret')
  })

  it('go to the home if no folder is named, and have a fallback name', async () => {
    serve = (_request, response) => response.end('x')
    for (const [path, file] of [
      ['', 'downloaded_file'],
      ['.', 'downloaded_file (1)'],
      ['/', 'downloaded_file (2)'],
    ])
      assert.equal((await post('download-url', { path, url: url('/') })).data?.file.replace(/^\//, ''), file)
  })

  it('replace nothing: a taken name gets a number', async () => {
    serve = (_request, response) => response.end('new')
    writeFileSync(bench.at('taken.tar.gz'), 'old')
    symlinkSync('/etc/passwd', bench.at('taken (1).tar.gz'))
    assert.equal((await post('download-url', { url: url('/taken.tar.gz') })).data.file, 'taken (2).tar.gz')
    assert.deepEqual(
      [readFileSync(bench.at('taken.tar.gz'), 'utf8'), readFileSync(bench.at('taken (2).tar.gz'), 'utf8')],
      ['old', 'new'],
    )
  })

  it('show the query neither in the activity nor in the job', async () => {
    serve = (_request, response) => response.end('x')
    await post('download-url', { url: url('/shown.txt?token=verysecret') })
    const { data } = await post('wget-upload', { url: url('/shown.txt?token=verysecret') })
    await job(data.job_id)
    for (const path of ['/api/activity', '/api/jobs']) {
      const { text } = await bench.panel.request('GET', path, { as: bench.panel.admin })
      assert.ok(text.includes('/shown.txt?••••••••') && !text.includes('verysecret'), path)
    }
    assert.ok(!JSON.stringify(bench.panel.log).includes('verysecret'))
  })

  it('reach internal addresses only for superusers, unless the configuration allows them', async () => {
    serve = (_request, response) => response.end('x')
    for (const host of ['127.0.0.1', 'inside.test', '[::ffff:7f00:1]', '0x7f.1'])
      for (const verb of ['download-url', 'wget-upload'])
        assert.deepEqual(
          refusal(await post(verb, { url: url('/x', host) }, bench.alice)),
          [400, 'bad_request'],
          `${verb} ${host}`,
        )
    assert.deepEqual(asked, [])
    const answer = await post('download-url', { url: url('/allowed.txt', 'allowed.test') }, bench.alice)
    assert.deepEqual([answer.status, answer.data?.file], [200, 'allowed.txt'], answer.text)
  })

  it('check every redirect again', async () => {
    serve = (_request, response) => response.writeHead(302, { location: url('/secret', 'inside.test') }).end()
    const answer = await post('download-url', { url: url('/x') })
    assert.deepEqual([...refusal(answer), asked.length], [500, 'download_failed', 6])
    serve = (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    assert.deepEqual(refusal(await post('download-url', { url: url('/x') })), [500, 'download_failed'])
  })

  it('reject other schemes, credentials and invalid URLs', async () => {
    for (const bad of [
      'ftp://example.com/x',
      'file:///etc/passwd',
      'http://user:pass@example.com/',
      'nothing',
      'javascript:1',
    ]) {
      for (const verb of ['download-url', 'wget-upload']) {
        const answer = await post(verb, { url: bad })
        assert.deepEqual(refusal(answer), [400, 'bad_request'], bad)
        assert.match(answer.error.message, /^url: /)
      }
    }
    assert.match((await post('download-url', {})).error.message, /^url: is required/)
    assert.deepEqual(refusal(await post('download-url', { url: url('/x'), path: '../up' })), [
      400,
      'bad_request',
    ])
  })

  it('leave nothing behind when they fail', async () => {
    const before = readdirSync(bench.at('into'))
    const failures: Record<string, Serve> = {
      'answered 404': (_request, response) => response.writeHead(404).end('no'),
      'the connection was closed': (_request, response) => (
        response.setHeader('content-length', '100').write('half'),
        setTimeout(() => response.destroy(), 50)
      ),
      'sent nothing for': (_request, response) => response.setHeader('content-length', '100').write('half'),
      'no answer within': () => {},
    }
    for (const [expected, how] of Object.entries(failures)) {
      serve = how
      const answer = await post('download-url', { path: 'into', url: url('/fails.txt?token=secret') })
      assert.deepEqual(refusal(answer), [500, 'download_failed'], answer.text)
      assert.match(answer.error.message, new RegExp(expected))
      assert.ok(!answer.text.includes('secret'))
    }
    assert.deepEqual(readdirSync(bench.at('into')), before)
  })

  it('require an existing folder', async () => {
    serve = (_request, response) => response.end('x')
    writeFileSync(bench.at('a-file'), '')
    for (const path of ['no-such', 'a-file'])
      assert.deepEqual(refusal(await post('download-url', { path, url: url('/x') })), [
        500,
        'download_failed',
      ])
    assert.deepEqual(asked, [])
  })

  it('report that the account of a website cannot be looked up', async () => {
    const { id: user_id } = await bench.panel.person({ username: 'gone' })
    const now = new Date().toISOString()
    const site = {
      id: 901,
      domain: 'gone.example.com',
      user_id,
      username: 'gone',
      type: 'static' as const,
      root: '',
      is_suspended: 0,
      certificate: null,
      https_redirect: 0,
      hsts: 0,
      revision: 1,
    }
    await bench.panel.store.db
      .insertInto('websites')
      .values({ ...site, created_at: now, updated_at: now })
      .execute()
    const body = { website_id: 901, url: url('/x') }
    const answer = await bench.panel.request('POST', '/api/filemanager/download-url', {
      as: bench.panel.admin,
      body,
    })
    assert.deepEqual(refusal(answer), [500, 'user_error'], answer.text)
    assert.match(answer.error.message, /account gone no longer exists/)
  })

  it('report their progress and result in the background', async () => {
    serve = (_request, response) =>
      response.setHeader('content-length', '300000').end(Buffer.alloc(300_000, 1))
    const { status, data } = await post('wget-upload', { path: 'into', url: url('/big.bin') })
    assert.equal(status, 202)
    const ended = await job(data.job_id)
    assert.deepEqual(
      [ended.state, ended.percent, ended.result],
      ['succeeded', 100, { file: 'into/big.bin', size_bytes: 300_000 }],
      ended.error,
    )
    assert.equal(statSync(bench.at('into/big.bin')).size, 300_000)
  })

  it('fail with a message in the background, and leave nothing behind', async () => {
    serve = (_request, response) => response.writeHead(500).end()
    const ended = await job((await post('wget-upload', { url: url('/x') })).data.job_id)
    assert.deepEqual([ended.state, /the server answered 500/.test(ended.error)], ['failed', true])
    const unknown = await job(
      (await post('wget-upload', { url: url('/x', 'unknown.test') }, bench.alice)).data.job_id,
      bench.alice,
    )
    assert.match(unknown.error, /unknown\.test has no address/)
    serve = (_request, response) => response.writeHead(302, { location: url('/secret', 'inside.test') }).end()
    const { data } = await post('wget-upload', { url: url('/x', 'allowed.test') }, bench.alice)
    assert.match(
      (await job(data.job_id, bench.alice)).error,
      /inside\.test resolves to an address that is refused/,
    )
  })

  const dribble: Serve = (_request, response) => {
    const timer = setInterval(() => response.write('more'.repeat(1000)), 20)
    response.on('close', () => clearInterval(timer))
  }
  const cancel = async (id: number) => {
    await bench.panel.request('POST', `/api/jobs/${id}/cancel`, { as: bench.panel.admin })
    assert.equal((await job(id)).state, 'cancelled')
  }

  it('can be cancelled in the background, and leave nothing behind', async () => {
    serve = dribble
    const { data } = await post('wget-upload', { url: url('/endless') })
    await until(() => existsSync(bench.at(hidden, `job-${data.job_id}`)))
    await cancel(data.job_id)
  })

  it('continue where they were when their step acts again, and are read again once placed', async () => {
    serve = (_request, response) => response.end('x')
    const { job_id: jobId } = (await post('wget-upload', { url: url('/first.txt') })).data
    await job(jobId)
    const content = 'the whole'
    serve = ({ headers }, response) => {
      response.setHeader('etag', '"v1"')
      if (headers.range === undefined)
        return response.setHeader('content-length', content.length).write(content.slice(0, 4))
      return response.writeHead(206, { 'content-range': 'bytes 4-8/9' }).end(content.slice(4))
    }
    const route = bench.panel.routes.find(({ path }) => path === '/api/filemanager/wget-upload')
    assert.ok(route)
    const { download } = (route.context as unknown as Context).filemanager.steps
    const name = `job-${jobId}`
    const folder = { field: 'path', path: 'into' }
    const args = { username: 'alice', folder, url: url('/goes-on.txt'), name, isAdmin: true, jobId }
    const before = await download.observe(args)
    const leaving = new AbortController()
    const left = assert.rejects(download.act(args, stepRun(before, null, { signal: leaving.signal })))
    await until(() => existsSync(bench.at(hidden, name)) && statSync(bench.at(hidden, name)).size === 4)
    leaving.abort()
    await left
    assert.equal(await download.check(args, before), 'other')
    asked = []
    const file = { file: 'into/goes-on.txt', size_bytes: 9 }
    assert.deepEqual(await download.act(args, stepRun(before)), file)
    assert.deepEqual(
      asked.map(({ headers }) => [headers.range, headers['if-range']]),
      [['bytes=4-', '"v1"']],
    )
    assert.deepEqual(
      [await download.again?.(args, before), readFileSync(bench.at('into/goes-on.txt'), 'utf8')],
      [file, content],
    )
  })

  it('report small sizes in small units in the background, and are listed by file name until they end', async () => {
    serve = dribble
    const { data } = await post('wget-upload', { url: url('/a/slow%20file.bin?token=secret') })
    const look = async () =>
      (await bench.panel.request('GET', `/api/jobs/${data.job_id}`, { as: bench.panel.admin })).data.message
    await until(async () => /^\d+\.\d KiB$/.test(await look()))
    const listed = () =>
      bench.panel.request('GET', '/api/filemanager/jobs?username=alice', { as: bench.panel.admin })
    assert.deepEqual((await listed()).data.items, [
      { job_id: data.job_id, verb: 'fetch', name: 'slow file.bin', count: 1 },
    ])
    await cancel(data.job_id)
    assert.deepEqual((await listed()).data.items, [])
  })

  it('run at most three at a time per user in the background', async () => {
    serve = dribble
    const answers: Answer[] = []
    for (let count = 0; count < 4; count++) answers.push(await post('wget-upload', { url: url('/waits') }))
    const last = answers.pop() as Answer
    assert.deepEqual(refusal(last), [409, 'conflict'], last.text)
    for (const { data } of answers) await cancel(data.job_id)
  })
})
