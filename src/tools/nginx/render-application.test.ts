import assert from 'node:assert/strict'
import { test } from 'node:test'
import { debianLayout } from './layout.ts'
import { type Application, renderApplication } from './render-application.ts'

const application: Application = {
  port: 7443,
  alias: 'abcdefghij0123',
  root: '/var/lib/an-application/1.0.0',
  hidden: ['config.inc.php', 'libraries'],
  socket: '/run/hostreeve-php/an-application-8.2/site-1.sock',
  certificate: { cert: '/var/lib/hostreeve/tls/panel.crt', key: '/var/lib/hostreeve/tls/panel.key' },
  bodyMb: 32,
  seconds: 30,
}
const render = (changed: Partial<Application> = {}) =>
  renderApplication({ ...application, ...changed }, debianLayout)

test('listens over TLS alone, on the port of the application, and logs none of its paths', () => {
  const listening = [...render().matchAll(/listen (.*);/g)].map(([, address]) => address)
  assert.deepEqual(listening, ['7443 ssl http2', '"[::]:7443" ssl http2'])
  assert.match(render(), /^ {4}access_log off;$/m)
})

test('runs scripts below the alias with the file that they name, and hides inner files before', () => {
  const text = render()
  assert.match(text, /SCRIPT_FILENAME \/var\/lib\/an-application\/1\.0\.0\/\$hostreeve_script;/)
  assert.ok(text.indexOf('(?:config\\.inc\\.php|libraries)') < text.indexOf('fastcgi_pass'))
})

for (const alias of ['', 'a/b', 'A', 'a b', '../a', 'a;', 'a'.repeat(65)])
  test(`never renders the alias ${JSON.stringify(alias)}`, () => {
    assert.throws(() => render({ alias }), /not an alias/)
  })
