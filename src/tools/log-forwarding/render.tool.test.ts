import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, describe, it } from 'node:test'
import { run } from '../../host/run.ts'
import { renderShared, renderSource } from '../rsyslog/render.ts'
import { renderRule, type Target } from './render.ts'

const target: Target = { server: 'logs.example.com', port: 514, protocol: 'tcp', ca: '' }

describe('rules that rsyslogd checks', () => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-rsyslog-`)
  after(() => rmSync(folder, { recursive: true, force: true }))
  const check = (text: string) => {
    writeFileSync(`${folder}/rule.conf`, text)
    return run(['rsyslogd', '-N1', '-f', `${folder}/rule.conf`], { timeoutMs: 30_000 })
  }

  for (const [title, text] of [
    ['over TCP', renderRule('remote', target)],
    ['over TLS', renderRule('remote', { ...target, protocol: 'tls' })],
    ['over TLS with an authority', renderRule('remote', { ...target, protocol: 'tls', ca: 'PEM' })],
    ['of the SSH audit', renderRule('ssh-audit', target)],
    ['to an IPv6 address', renderRule('remote', { ...target, server: '2001:db8::1' })],
  ] as const)
    it(`are accepted ${title}`, async () => {
      const { code, stderr } = await check(text)
      assert.equal(code, 0, stderr)
      assert.doesNotMatch(stderr, /not known|invalid|error/i)
    })

  it('are accepted together, and beside a source of the log store', async () => {
    const listens = { protocol: 'tcp', port: 5514 } as const
    const source = { id: 1, name: 'all', listens, includesLocal: true, allowed: [], replicateTo: null }
    const { code, stderr } = await check(
      [
        renderRule('remote', target),
        renderRule('ssh-audit', { ...target, protocol: 'tls' }),
        renderShared(['omelasticsearch', 'imtcp']),
        renderSource(source),
      ].join('\n'),
    )
    assert.equal(code, 0, stderr)
    assert.doesNotMatch(stderr, /not known|invalid|error/i)
  })

  it('are refused with an unknown parameter', async () => {
    const { code } = await check(renderRule('remote', target).replace('port=', 'prot='))
    assert.notEqual(code, 0)
  })
})
