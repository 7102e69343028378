import assert from 'node:assert/strict'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { startVendor, vendorUrl } from './story/opensearch.ts'
import { eventsOf, SignedIn, type StreamedEvent } from './story/signed-in.ts'
import { untilListening } from './story/until-listening.ts'

/** Lines whose search is compared with grep; a million in the long form (HOSTREEVE_LONG=1), for 200 queries. */
const corpus = process.env['HOSTREEVE_LONG']
  ? { lines: 1_000_000, queries: 200 }
  : { lines: 2000, queries: 20 }
const address = '10.77.0.61'
const senderAddress = '10.77.0.62'
const lines = 10_000
const node = '/opt/hostreeve/node_modules/.bin/node'

describe('the log store', () => {
  let host: Host
  let sender: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('logstore', {
      image: 'rsyslog',
      addresses: [`${address}/24`],
      without: ['rsyslog-elasticsearch'],
    })
    sender = await bootHost('logsender', {
      image: 'rsyslog',
      addresses: [`${senderAddress}/24`],
      without: ['rsyslog-elasticsearch'],
    })
    await startVendor(host)
    panel = await startPanel(host, { env: { HOSTREEVE_OPENSEARCH_URL: vendorUrl } })
    admin = await SignedIn.as(panel)
  })
  after(async () => {
    await host?.remove()
    await sender?.remove()
  })

  const must = (method: string, path: string, body?: unknown) =>
    admin.must(method, `/api/logstore${path}`, body)
  /** Makes written lines searchable at once, and asks OpenSearch itself. */
  const backend = async (method: string, path: string, body?: unknown) => {
    const json = body === undefined ? [] : ['--json', JSON.stringify(body)]
    const { stdout } = await host.must(['curl', '-sS', '-X', method, ...json, `http://127.0.0.1:9200${path}`])
    return stdout
  }
  const sourceNamed = async (name: string) =>
    (await must('GET', '/sources')).find((each: any) => each.name === name)
  const found = async (query: string) => {
    const { total } = await must('POST', '/search', { query, timeFrom: 'now-7d' })
    return total as number
  }
  const count = async (query: string) => {
    await backend('POST', '/hostreeve-logs-*/_refresh')
    return found(query)
  }
  /** What the other host has received of this one. */
  const received = () => readFile(join(sender.rootPath, 'root/received'), 'utf8').catch(() => '')
  /** Sends numbered lines over one TCP connection. */
  const send = (word: string, first: number, last: number) =>
    sender.must([
      'bash',
      '-c',
      `for i in $(seq ${first} ${last}); do echo "<13>1 - - test - - - ${word} line$i"; done >/dev/tcp/${address}/5514`,
    ])

  it('is installed, receives, searches and preserves as its guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/log-store.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide)).catch(async (cause) => {
      const { stdout } = await host.exec(['tail', '-n', '20', '/var/log/opensearch/hostreeve.log'])
      throw new Error(`the guide failed; OpenSearch logged:\n${stdout}`, { cause })
    })
    assert.match(output, /"message":"a first line"/)
    assert.match(output, /"count":1/)
    const status = await must('GET', '/status')
    assert.deepEqual([status.installed, status.answering, status.receiving], [true, true, true])
    const { status: again, code } = await admin.ask('POST', '/api/logstore/install')
    assert.deepEqual([again, code], [400, 'already_installed'])
  })

  it('has every line of another host exactly once, though the backend is killed and started meanwhile', async () => {
    const source = await must('POST', '/sources', { name: 'remote', protocol: 'tcp', port: 5514 })
    await must('POST', `/sources/${source.id}/apply`)
    await send('steady', 1, lines / 4)
    const more = send('steady', lines / 4 + 1, lines / 2)
    await host.must(['systemctl', 'kill', '--signal=KILL', 'opensearch'])
    await more
    await host.must(['systemctl', 'stop', 'opensearch'])
    await send('steady', lines / 2 + 1, lines)
    assert.equal((await admin.ask('POST', '/api/logstore/search', {})).status, 502)
    assert.equal((await must('GET', '/preserved-count')).count, 0)
    await host.must(['systemctl', 'start', 'opensearch'], { timeoutMs: 180_000 })
    await poll('every line to arrive', 240_000, async () => {
      const { status, data } = await admin.ask('POST', '/api/logstore/search', { query: 'steady', limit: 1 })
      return (status === 200 && data.total >= lines) || undefined
    })
    assert.equal(await count('steady'), lines)
    const senders = { terms: { field: 'source_ip' } }
    const groups = await backend('POST', '/hostreeve-logs-*/_search?size=0', {
      query: { query_string: { query: 'message:steady' } },
      aggs: { senders },
    })
    assert.match(groups, new RegExp(`"key":"${senderAddress}","doc_count":${lines}`))
    const seen = new Set<string>()
    for (let from = 0; from < lines; from += 500) {
      const { hits } = await must('POST', '/search', { query: 'steady', limit: 500, from })
      for (const { message } of hits) seen.add(message)
    }
    assert.equal(seen.size, lines)
  })

  it('finds the lines that grep -wi finds', async () => {
    // the first terms are in many lines, the last ones in few
    const terms = ['of', 'in', ...Array.from({ length: 248 }, (_, at) => `Heron${at}`), 'egret', 'teal']
    const line = `terms[int(rand() ^ 3 * ${terms.length}) + 1] " " terms[int(rand() ^ 2 * ${terms.length}) + 1]`
    const program = `BEGIN { srand(51); split("${terms.join(' ')}", terms, " "); for (n = 1; n <= ${corpus.lines}; n++) print "corpus", ${line}, "no" n }`
    await sender.must(['bash', '-c', `awk '${program}' >/root/corpus`])
    const sent = `sed 's/^/<13>1 - - test - - - /' /root/corpus >/dev/tcp/${address}/5514`
    await sender.must(['bash', '-c', sent], { timeoutMs: 900_000 })
    await poll('the whole corpus', 1_800_000, async () => (await count('corpus')) === corpus.lines)
    const step = Math.floor(terms.length / corpus.queries)
    for (let at = 0; at < corpus.queries; at++) {
      const term = terms[at * step] ?? ''
      const query = at % 2 === 0 ? term.toLowerCase() : term.toUpperCase()
      const { stdout } = await sender.exec(['grep', '-wic', '--', query, '/root/corpus'])
      assert.equal(await found(`corpus AND "${query}"`), Number(stdout), query)
    }
  })

  it('keeps lines that a saved search preserves beyond their retention', async () => {
    await must('POST', '/saved-searches', { name: 'incident', query: 'incident', preserve_data: 1 })
    const old = '2026.01.02'
    const line = (message: string) => ({ '@timestamp': '2026-01-02T10:00:00.000Z', message, severity: 'err' })
    for (const message of ['an incident', 'nothing of note'])
      await backend('POST', `/hostreeve-logs-${old}/_doc?refresh=true`, line(message))
    await backend('POST', '/hostreeve-logs-2026.01.03/_doc?refresh=true', line('nothing either'))
    await must('POST', '/retention/apply')
    await poll('old days to be deleted', 120_000, async () =>
      (await backend('GET', '/_cat/indices')).includes('2026.01.03') ? undefined : true,
    )
    const left = await backend('GET', `/hostreeve-logs-${old}/_search?q=*`)
    assert.match(left, /an incident/)
    assert.doesNotMatch(left, /nothing of note/)
  })

  it('drops lines of senders that a source does not allow', async () => {
    const source = await sourceNamed('remote')
    await must('PUT', `/sources/${source.id}`, { allowed_ips: '192.0.2.0/24, 10.77.0.63' })
    await must('POST', `/sources/${source.id}/apply`)
    await send('outsider', 1, 5)
    await must('PUT', `/sources/${source.id}`, { allowed_ips: `10.77.0.0/28, ${senderAddress}` })
    await must('POST', `/sources/${source.id}/apply`)
    await send('insider', 1, 5)
    await poll('the allowed lines', 60_000, async () => (await count('insider')) === 5)
    assert.equal(await count('outsider'), 0)
  })

  it('tells superusers of a saved search that has found its number of lines', async () => {
    const alert = { alert_threshold: 5, alert_minutes: 60 }
    await must('POST', '/saved-searches', { name: 'visits', query: 'insider', ...alert })
    await must('POST', '/saved-searches', { name: 'strangers', query: 'outsider', ...alert })
    const { title } = await poll('the notification', 180_000, async () => {
      const { items } = await admin.must('GET', '/api/notifications?kind=log_alert')
      return items[0]
    })
    assert.equal(title, 'visits: 5 lines within 60 min')
  })

  it('stores a line with bytes that are not UTF-8', async () => {
    const line = "printf '<13>1 - - test - - - gr\\374n umlaut\\n' >/dev/tcp"
    await sender.must(['bash', '-c', `${line}/${address}/5514`])
    await poll('the line', 60_000, async () => (await count('umlaut')) === 1)
    const { hits } = await must('POST', '/search', { query: 'umlaut' })
    assert.equal(hits[0].message, 'gr?n umlaut')
  })

  it('receives over TLS with the certificate of the panel', async () => {
    const source = await must('POST', '/sources', { name: 'secure', protocol: 'tls', port: 6514 })
    await must('POST', `/sources/${source.id}/apply`)
    const ca = await readFile(join(host.rootPath, 'var/lib/hostreeve/tls/panel.crt'), 'utf8')
    const asked = { host: address, port: 6514, ca }
    const line = "'<13>1 - - test - - - a tern\\n'"
    const program = `require('tls').connect({ ...${JSON.stringify(asked)}, checkServerIdentity: () => undefined }, function () { this.end(${line}) })`
    await sender.must([node, '-e', program])
    await poll('the line', 60_000, async () => (await count('tern')) === 1)
    const { hits } = await must('POST', '/search', { query: 'tern' })
    assert.deepEqual([hits[0].source, hits[0].source_ip], ['secure', senderAddress])
    await must('DELETE', `/sources/${source.id}`)
  })

  it('shows lines as they arrive', async () => {
    const stream = await admin.openStream('/api/logstore/tail?query=plover')
    let arrived: StreamedEvent | undefined
    const first = eventsOf(stream)
      .next()
      .then(({ value }) => (arrived = value))
    await poll('a line of the stream', 240_000, async () => {
      await send('plover', 1, 1)
      return arrived
    })
    stream.destroy()
    const { type, message, source, source_ip } = (await first) ?? {}
    assert.deepEqual([type, message, source, source_ip], ['line', 'plover line1', 'remote', senderAddress])
  })

  it('sends every line of a search as a file', async () => {
    const draft = { query: 'steady', timeFrom: 'now-7d' }
    for (const format of ['jsonl', 'csv']) {
      const { job_id } = await must('POST', '/exports', { ...draft, format })
      const events = await admin.followJob(job_id)
      assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-3)))
      const file = (await must('GET', '/exports')).find((each: any) => each.job_id === job_id)
      const { text } = await panel.request('GET', `/api/logstore/exports/${file.filename}`, {
        token: admin.token,
        timeoutMs: 120_000,
      })
      const found = text.match(/steady line\d+/g) ?? []
      assert.deepEqual([found.length, new Set(found).size], [lines, lines], format)
    }
  })

  it('refuses a source that rsyslog rejects, and one whose port is taken', async () => {
    const program = "require('net').createServer().listen(5599)"
    await host.must(['systemd-run', '--quiet', '--unit=holder', node, '-e', program])
    await untilListening(host, 5599)
    const taken = await must('POST', '/sources', { name: 'taken', protocol: 'tcp', port: 5599 })
    const { status, message } = await admin.ask('POST', `/api/logstore/sources/${taken.id}/apply`)
    assert.equal(status, 400)
    assert.match(message, /5599\/tcp is in use/)
    await host.must(['bash', '-c', 'echo "nonsense(" >/etc/rsyslog.d/90-broken.conf'])
    const source = await sourceNamed('remote')
    await must('PUT', `/sources/${source.id}`, { port: 5515 })
    const rejected = await admin.ask('POST', `/api/logstore/sources/${source.id}/apply`)
    assert.equal(rejected.status, 500)
    assert.match(rejected.message ?? '', /90-broken/)
    await host.must(['rm', '/etc/rsyslog.d/90-broken.conf'])
    await must('PUT', `/sources/${source.id}`, { port: 5514 })
    assert.equal((await sourceNamed('remote')).state, 'applied')
  })

  it('works while the lines of the host are sent to another server too', async () => {
    const receiver = `require('net').createServer((from) => from.pipe(require('fs').createWriteStream('/root/received', { flags: 'a' }))).listen(5140)`
    await sender.must(['systemd-run', '--quiet', '--unit=receiver', node, '-e', receiver])
    await untilListening(sender, 5140)
    const forwarding = { enabled: true, server: senderAddress, port: 5140 }
    await admin.must('POST', '/api/settings/remote-logging', forwarding)
    assert.equal((await sourceNamed('remote')).state, 'applied')
    await send('heron', 1, 1)
    await host.must(['logger', '--tag', 'shop', 'magpie'])
    await poll('the line here', 60_000, async () => (await count('magpie')) === 1)
    await poll('the line there', 60_000, async () => (await received()).includes('magpie'))
    await poll('the line of the other host', 60_000, async () => (await count('heron')) === 1)
    assert.doesNotMatch(await received(), /heron/)
  })

  it('is in a snapshot with its files, and remote logging with its own', async () => {
    const { id } = await sourceNamed('remote')
    const paths = ['10-hostreeve-remote', '20-hostreeve', `30-hostreeve-source-${id}`].map((name) =>
      join(host.rootPath, `etc/rsyslog.d/${name}.conf`),
    )
    const textOf = () => Promise.all(paths.map((path) => readFile(path, 'utf8')))
    const saved = await textOf()
    await admin.must('POST', '/api/system/snapshots', { name: 'both' })
    for (const path of paths) await appendFile(path, '# mine\n')
    await admin.must('POST', '/api/system/snapshots/both/restore')
    assert.deepEqual(await textOf(), saved)
    await admin.must('POST', '/api/settings/remote-logging', { enabled: false })
    assert.equal((await sourceNamed('remote')).state, 'applied')
  })

  it('keeps the lines of a host for which it is an existing cluster', async () => {
    const passing = `require('net').createServer((from) => { const to = require('net').connect(9200, '127.0.0.1'); from.on('error', () => to.destroy()).pipe(to).on('error', () => from.destroy()).pipe(from) }).listen(9201, '${address}')`
    await host.must(['systemd-run', '--quiet', '--unit=node', node, '-e', passing])
    await untilListening(host, 9201, address)
    const nodes = `http://${address}:9299, http://${address}:9201` // nothing listens on the first
    const other = await startPanel(sender, { env: { HOSTREEVE_LOGSTORE_URL: nodes } })
    const guest = await SignedIn.as(other)
    await guest.must('POST', '/api/logstore/install')
    assert.equal((await sender.exec(['test', '-e', '/usr/share/opensearch'])).code, 1)
    const { id } = await guest.must('POST', '/api/logstore/sources', { name: 'guest', type: 'local' })
    assert.equal((await guest.must('POST', `/api/logstore/sources/${id}/apply`)).state, 'applied')
    await sender.must(['logger', '--tag', 'shop', 'kestrel'])
    await poll('the line', 60_000, async () => (await count('kestrel')) === 1)
    const { hits } = await guest.must('POST', '/api/logstore/search', { query: 'kestrel' })
    assert.deepEqual([hits[0].source, hits[0].program], ['guest', 'shop'])
    assert.match(await backend('GET', '/_index_template/hostreeve-cluster'), /"auto_expand_replicas":"0-1"/)
    await guest.must('POST', '/api/logstore/uninstall')
    assert.equal(await count('kestrel'), 1)
  })

  it('is removed, and installed again with its lines', async () => {
    await must('POST', '/uninstall')
    assert.equal((await host.exec(['sh', '-c', 'ls /etc/rsyslog.d/*hostreeve*'])).stdout, '')
    await host.must(['rsyslogd', '-N1'])
    assert.equal((await must('GET', '/status')).installed, false)
    await must('POST', '/install')
    assert.equal(await count('steady'), lines)
  })
})
