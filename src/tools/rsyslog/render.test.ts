import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderShared, renderSource, type SourceSettings } from './render.ts'

const source: SourceSettings = {
  id: 7,
  name: 'network',
  listens: { protocol: 'udp', port: 514 },
  includesLocal: false,
  allowed: [],
  replicateTo: null,
}

test('a source has a ruleset with a disk queue, and its input', () => {
  assert.equal(
    renderSource(source),
    `# Source 7 of the log store.
ruleset(name="hostreeve_source_7") {
  action(type="mmutf8fix" replacementChar="?")
  set $!hostreeve!id = $uuid;
  set $!hostreeve!source = "network";
  set $!hostreeve!message = ltrim($msg);
  action(type="omelasticsearch" name="hostreeve-source-7"
    server="127.0.0.1" serverport="9200" esVersion.major="7" searchType=""
    template="hostreeve_line" searchIndex="hostreeve_index" dynSearchIndex="on"
    writeoperation="create" bulkid="hostreeve_id" dynbulkid="on" bulkmode="on" maxbytes="10m"
    errorFile="/var/spool/rsyslog/hostreeve-source-7.errors"
    queue.type="LinkedList" queue.size="10000" queue.dequeuebatchsize="500"
    queue.filename="hostreeve-source-7" queue.spoolDirectory="/var/spool/rsyslog" queue.maxdiskspace="1g" queue.saveonshutdown="on"
    action.resumeRetryCount="-1" action.resumeInterval="2")
}
input(type="imudp" port="514" ruleset="hostreeve_source_7")
`,
  )
})

test('a source of a cluster has its nodes instead of the one of this host', () => {
  const nodes = ['http://10.0.0.5:9200', 'https://logs.example.com']
  const text = renderSource({ ...source, nodes })
  assert.match(text, /^ {4}server=\["http:\/\/10\.0\.0\.5:9200", "https:\/\/logs\.example\.com"\] esVersion/m)
  assert.doesNotMatch(text, /127\.0\.0\.1/)
})

test('addresses are compared as text, and IPv4 networks as numbers', () => {
  const allowed = ['192.0.2.7', '198.51.100.0/24', '0.0.0.0/0', '2001:DB8::1']
  const text = renderSource({ ...source, allowed })
  assert.match(text, /\$fromhost-ip == "192\.0\.2\.7"/)
  assert.match(text, /ip42num\(\$fromhost-ip\) >= 3325256704 and ip42num\(\$fromhost-ip\) <= 3325256959/)
  assert.match(text, /ip42num\(\$fromhost-ip\) >= 0 and ip42num\(\$fromhost-ip\) <= 4294967295/)
  assert.match(text, /\$fromhost-ip == "2001:db8::1"/)
})

test('local lines pass whatever addresses are allowed', () => {
  const text = renderSource({ ...source, includesLocal: true, allowed: ['192.0.2.7'] })
  assert.match(text, /if not \(\(\$inputname == "imuxsock" or .*\) or \$fromhost-ip == "192\.0\.2\.7"\)/)
  assert.match(text, /^if \(\$inputname == "imuxsock".*\n {2}call hostreeve_source_7\n}/m)
  assert.doesNotMatch(renderSource({ ...source, listens: null, includesLocal: true }), /^input/m)
})

test('a name cannot leave its quotes, and a copy has a queue of its own', () => {
  const name = 'a"; stop $x \\'
  const text = renderSource({ ...source, name, replicateTo: { host: 'logs.example.com', port: 601 } })
  assert.match(text, /source = "a\\"; stop \\\$x \\\\";/)
  assert.match(
    text,
    /action\(type="omfwd" name="hostreeve-source-7-copy" target="logs\.example\.com" port="601"/,
  )
  assert.match(text, /queue\.filename="hostreeve-source-7-copy"/)
})

test('modules are loaded in order, and no others', () => {
  assert.deepEqual(renderShared(['omelasticsearch', 'imtcp']).match(/^module.*$/gm), [
    'module(load="omelasticsearch")',
    'module(load="imtcp")',
  ])
})

test('an input for TLS is one for TCP with a driver and a certificate', () => {
  const certificate = { cert: '/data/tls/panel.crt', key: '/data/tls/panel.key' }
  assert.match(
    renderSource({ ...source, listens: { protocol: 'tls', port: 6514, certificate } }),
    /^input\(type="imtcp" port="6514" ruleset="hostreeve_source_7"\n {2}streamdriver\.name="gtls" streamdriver\.mode="1" streamdriver\.authmode="anon"\n {2}streamdriver\.cafile="\/data\/tls\/panel\.crt" .*keyfile="\/data\/tls\/panel\.key"\)\n$/m,
  )
})
