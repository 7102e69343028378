import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parseConfig, writeConfig } from './config.ts'
import { backendsOf } from './proxies.ts'

test(
  'the documents of the Debian package can be read and written',
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
