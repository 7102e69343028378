import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderRule, type Target } from './render.ts'

const target: Target = { server: 'logs.example.com', port: 6514, protocol: 'tls', ca: '' }

test('renders a queue on the disk, which nothing ends', () => {
  const text = renderRule('remote', { ...target, protocol: 'tcp', port: 514 })
  assert.match(text, /target="logs\.example\.com" port="514" protocol="tcp"/)
  assert.match(text, /queue\.filename="hostreeve-remote" queue\.spoolDirectory="\/var\/spool\/rsyslog"/)
  assert.match(text, /queue\.saveonshutdown="on"\n {2}action\.resumeRetryCount="-1"/)
  assert.doesNotMatch(text, /StreamDriver/)
})

test('renders TLS to the server that its certificate names', () => {
  assert.match(
    renderRule('remote', target),
    /StreamDriverPermittedPeers="logs\.example\.com" StreamDriver\.CAFile="\/etc\/ssl\/certs\/ca-certificates\.crt"/,
  )
  assert.match(
    renderRule('ssh-audit', { ...target, ca: 'PEM' }),
    /StreamDriver\.CAFile="\/etc\/rsyslog\.d\/hostreeve-ssh-audit-ca\.pem"/,
  )
})

test('sends only the lines of the SSH audit', () => {
  assert.match(
    renderRule('ssh-audit', target),
    /^if \$programname == \["sshd", "sshd-session", [^\]]+\] then \{$/m,
  )
})

test('quotes what would end a constant', () => {
  assert.match(renderRule('remote', { ...target, server: 'a"b$c\\' }), /target="a\\"b\\\$c\\\\"/)
})
