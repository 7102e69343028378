import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parseConfig, writeConfig } from './config.ts'
import { backendsOf } from './proxies.ts'

test(
  'parses and writes the configurations in the documentation of the Debian package',
  { skip: !existsSync('/usr/share/doc/haproxy/configuration.txt.gz') && 'haproxy is not installed' },
  () => {
    for (const name of ['configuration', 'management', 'architecture']) {
      const path = `/usr/share/doc/haproxy/${name}.txt.gz`
      const text = existsSync(path) ? gunzipSync(readFileSync(path)).toString('latin1') : ''
      assert.equal(writeConfig(parseConfig(text)), text)
      backendsOf(parseConfig(text))
    }
    const text = readFileSync('/etc/haproxy/haproxy.cfg', 'latin1')
    assert.equal(writeConfig(parseConfig(text)), text)
  },
)
