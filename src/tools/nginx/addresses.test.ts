import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesIn } from './addresses.ts'

test('finds the addresses that nginx listens on', () => {
  const printed = `# configuration file /etc/nginx/nginx.conf:
http {
  server { listen 80; listen [::]:80 ipv6only=on default_server; }
  server {
    # listen 81;
    listen 192.0.2.1:8080
      ssl;
    listen 192.0.2.2;
    listen *:8082;
    listen unix:/run/nginx.sock;
    listen name.example.com:80;
    listen 443 quic;
    proxy_listen 9;
  }
}
`
  assert.deepEqual(addressesIn(printed), [
    { host: '0.0.0.0', port: 80 },
    { host: '::', port: 80 },
    { host: '192.0.2.1', port: 8080 },
    { host: '192.0.2.2', port: 80 },
    { host: '0.0.0.0', port: 8082 },
  ])
})
