import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesIn, includedIn } from './addresses.ts'

test('finds the files of a configuration in the list that Apache prints', () => {
  const list = [
    'Included configuration files:',
    '  (*) /etc/apache2/apache2.conf',
    '    (146) /etc/apache2/mods-enabled/a b.load',
    '      (9) /etc/apache2/ports.conf',
  ].join('\n')
  assert.deepEqual(includedIn(list), [
    '/etc/apache2/apache2.conf',
    '/etc/apache2/mods-enabled/a b.load',
    '/etc/apache2/ports.conf',
  ])
})

test('finds the addresses that Apache listens on, those of modules that it loads included', () => {
  const ports = `Listen 80
# Listen 81
<IfModule ssl_module>
\tListen 443
</IfModule>
<IfModule mod_gnutls.c>
  Listen 444
</IfModule>
<IfModule !status_module>
  Listen 445
</IfModule>
<IfDefine Extra>
  <IfModule ssl_module>
    Listen 446
  </IfModule>
</IfDefine>
`
  const site = `listen "192.0.2.1:8080" https
Listen [2001:db8::1]:8081
Listen *:8082
Listen \\
  8083
Listen name:1
Listen 0
`
  const modules = 'LoadModule ssl_module /usr/lib/apache2/modules/mod_ssl.so\n'
  assert.deepEqual(addressesIn([modules, ports, site]), [
    { port: 80 },
    { port: 443 },
    { port: 445 },
    { host: '192.0.2.1', port: 8080 },
    { host: '2001:db8::1', port: 8081 },
    { port: 8082 },
    { port: 8083 },
  ])
  assert.deepEqual(addressesIn(['<IfModule other_module>\n', 'Listen 80\n']), [{ port: 80 }])
  const before = '<IfModule ssl_module>\nListen 443\n</IfModule>\n'
  assert.deepEqual(addressesIn([before, modules, before]), [{ port: 443 }], 'not before it is loaded')
})
