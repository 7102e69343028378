import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { describe, test, type TestContext } from 'node:test'
import { openLogPanel } from './testing/panel.ts'

const nobody = 'http://127.0.0.1:2' // nothing listens there, and fetch refuses no requests to it

async function openCluster(t: TestContext, nodesAt: (port: number) => string) {
  const at = await openLogPanel({ isInstalled: false, nodesAt })
  t.after(() => at.close())
  const ask = (method: string, path: string, body?: unknown) =>
    at.panel.request(method, `/api/logstore${path}`, {
      as: at.panel.admin,
      ...(body !== undefined && { body }),
    })
  return { at, ask }
}

describe('a cluster that keeps log lines', () => {
  test('is searched through the first node that answers, and receives what sources send', async (t) => {
    const { at, ask } = await openCluster(t, (port) => `${nobody}, http://127.0.0.1:${port}/`)
    assert.deepEqual((await ask('GET', '/status')).data.installed, false)
    const unprepared = await ask('POST', '/sources', { name: 'network' })
    const { id } = unprepared.data
    assert.match((await ask('POST', `/sources/${id}/apply`)).error?.message ?? '', /not installed/)

    const { status, data, error } = await ask('POST', '/install')
    assert.deepEqual([status, data?.success], [200, true], error?.message)
    assert.deepEqual([at.packages.has('opensearch'), at.packages.has('rsyslog-elasticsearch')], [false, true])
    assert.equal(existsSync(`${at.panel.root}/etc/opensearch/opensearch.yml`), false)
    assert.deepEqual([...at.opensearch.templates.keys()], ['hostreeve-cluster'])
    assert.equal((await ask('POST', '/install')).error?.code, 'already_installed')
    const { installed, running, answering } = (await ask('GET', '/status')).data
    assert.deepEqual([installed, running, answering], [true, true, true])

    at.opensearch.templates.clear()
    assert.equal((await ask('POST', `/sources/${id}/apply`)).data?.state, 'applied')
    assert.deepEqual([...at.opensearch.templates.keys()], ['hostreeve-cluster'])
    const path = `${at.panel.root}/etc/rsyslog.d/30-hostreeve-source-${id}.conf`
    const nodes = readFileSync(path, 'utf8').match(/server=(\[.*\]) /)?.[1] ?? '[]'
    assert.deepEqual(JSON.parse(nodes), [nobody, `http://127.0.0.1:${at.opensearch.port}`])

    const line = { '@timestamp': new Date().toISOString(), message: 'a heron' }
    at.opensearch.indices.set('hostreeve-logs-2026.11.29', [line])
    const { hits } = (await ask('POST', '/search', { query: 'heron' })).data
    assert.deepEqual(hits, [line])

    assert.equal((await ask('POST', '/uninstall')).status, 200)
    assert.deepEqual([existsSync(path), at.opensearch.indices.size], [false, 1])
  })

  test('that does not answer is search_backend_error, and a source stays as it was', async (t) => {
    const { at, ask } = await openCluster(t, () => nobody)
    mkdirSync(`${at.panel.root}/etc/rsyslog.d`, { recursive: true })
    at.packages.set('rsyslog-elasticsearch', '8.2302.0-1')
    const { id } = (await ask('POST', '/sources', { name: 'network' })).data
    for (const path of ['/search', `/sources/${id}/apply`]) {
      const { status, error } = await ask('POST', path, path === '/search' ? {} : undefined)
      assert.deepEqual([status, error?.code], [502, 'search_backend_error'], path)
      assert.match(error?.message ?? '', /no node of logstore_url answers: .*ECONNREFUSED/)
    }
    assert.equal(existsSync(`${at.panel.root}/etc/rsyslog.d/30-hostreeve-source-${id}.conf`), false)
    const { answering, running, reason } = (await ask('GET', '/status')).data
    assert.deepEqual([answering, running], [false, false])
    assert.match(reason, /logstore_url/)
  })

  test('with an address that is none is refused without its credentials', async (t) => {
    const { ask } = await openCluster(
      t,
      (port) => `http://127.0.0.1:${port}, http://ada:secret@10.0.0.5:9200`,
    )
    const { status, error } = await ask('POST', '/search', {})
    assert.equal(status, 502)
    assert.match(
      error?.message ?? '',
      /^logstore_url: address 2 must be one such as http:\/\/10\.0\.0\.5:9200, without credentials/,
    )
    assert.doesNotMatch(JSON.stringify((await ask('GET', '/status')).data), /secret/)
  })
})
