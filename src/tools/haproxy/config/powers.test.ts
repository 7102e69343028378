import assert from 'node:assert/strict'
import { test } from 'node:test'
import { powersGained } from './powers.ts'

const certificates = '/etc/haproxy/certs'
const present = `global
  user haproxy
defaults
  mode http
.if feature(LUA)
frontend hidden
  bind unix@/run/hidden.sock
.endif
frontend web
  bind :80
  default_backend app
backend app
  server a 192.0.2.1:80
`
const gained = (statement: string, kind = 'frontend') =>
  powersGained(present, `${present}${kind} new\n  ${statement}\n`, certificates)

const harmless = [
  'bind :81,:82',
  'bind :443 ssl crt /etc/haproxy/certs/www.example.com.pem crt /etc/haproxy/certs/shop.example.net.pem alpn h2',
  'acl is_api path_beg /api',
  'http-request set-header X-Path %[path]',
  'http-request redirect scheme https',
  'log 127.0.0.1:514 local0',
  'use_backend app if { path /a,b }',
]
for (const statement of harmless)
  test(`allows every caller with the permission to write: ${statement}`, () => {
    assert.deepEqual(gained(statement), [])
  })

const powerful = [
  'bind :81,/etc/cron.d/x',
  'bind :81,unix@/run/x.sock',
  'bind :81,fd@3',
  'bind /run/x.sock',
  'server-template s 1-3 /run/x.sock',
  'server s /run/x.sock',
  'default-server addr /run/x.sock',
  'tcp-check connect addr /run/x.sock',
  'tcp-check connect addr unix@/run/x.sock',
  'log uxdg@/dev/log local0',
  'bind :443 ssl crt /etc/haproxy/certs/../../ssl/private/x.pem',
  'bind :443 ssl crt /etc/haproxy/certs',
  'bind :443 ssl crt /etc/ssl/private/x.pem',
  'acl a path -f /etc/shadow',
  'http-request return file /etc/shadow',
  'http-request set-header X "$_SECRET"',
  'http-request set-header X "${SECRET}"',
  'http-request set-header X "%[ env(SECRET)]"',
  'http-request set-header X "%[str(a),e\\x6ev(SECRET)]"',
  'http-request set-map(/etc/haproxy/x.map) a b',
  'http-request add-acl(/etc/haproxy/x.acl) a',
  'acl a req.hdr(a),jwt_verify(txn.alg,/etc/key.pem) 1',
  'external-check command /bin/sh',
  'option external-check',
  'filter spoe engine x config /etc/x',
  '.if 1',
]
for (const statement of powerful)
  test(`reserves for superusers: ${statement}`, () => {
    assert.deepEqual(gained(statement), [statement])
  })

test('reserves sections other than traffic sections for superusers', () => {
  for (const more of ['program p\n  command /bin/sh\n', 'global\n', 'userlist ops\n'])
    assert.equal(powersGained(present, present + more, certificates).length, 1)
})

test('does not let a line move out of a condition that disables it', () => {
  assert.equal(
    powersGained(present, present.replace('.if feature(LUA)\n', '').replace('.endif\n', ''), certificates)
      .length,
    1,
  )
  assert.equal(
    powersGained(
      present,
      present
        .replace('  bind unix@/run/hidden.sock\n', '')
        .replace(':80\n', ':80\n  bind unix@/run/hidden.sock\n'),
      certificates,
    ).length,
    1,
  )
})

test('allows lines to be removed and moved', () => {
  assert.deepEqual(powersGained(present, present.replace('  bind :80\n', ''), certificates), [])
  assert.deepEqual(
    powersGained(present, present.replace('server a 192.0.2.1:80', 'server b 192.0.2.2:80'), certificates),
    [],
  )
})
