import assert from 'node:assert/strict'
import { test } from 'node:test'
import { debianLayout } from './layout.ts'
import { renderGateway } from './render-gateway.ts'

const certificate = { cert: '/var/lib/hostreeve/tls/panel.crt', key: '/var/lib/hostreeve/tls/panel.key' }
const text = renderGateway({ port: 7444, upstream: 18_789, certificate }, debianLayout)

test('listens over TLS alone, with the certificate of the panel, and logs no paths', () => {
  const listening = [...text.matchAll(/listen (.*);/g)].map(([, address]) => address)
  assert.deepEqual(listening, ['7444 ssl', '"[::]:7444" ssl'])
  assert.match(text, /ssl_certificate \/var\/lib\/hostreeve\/tls\/panel\.crt;/)
  assert.match(text, /^ {4}access_log off;$/m)
})

test('passes upgrades on to loopback, and replaces what a visitor says of itself', () => {
  assert.match(text, /proxy_pass http:\/\/127\.0\.0\.1:18789;/)
  assert.match(text, /proxy_set_header Upgrade \$http_upgrade;/)
  assert.match(text, /proxy_set_header X-Forwarded-For \$remote_addr;/)
})
