import assert from 'node:assert/strict'
import { test } from 'node:test'
import { optionIn, withOption } from './option-file.ts'

const text = `# \u00e9
[client]
port = 1
[mysqld]
max-connections=100 # by hand
port = 3306
port = 3307
skip-name-resolve
[mysqldump]
port = 2
`

test('reads an option where the server takes it from, however its name is written', () => {
  assert.deepEqual(
    ['max_connections', 'port', 'skip_name_resolve', 'read_only'].map((name) => optionIn(text, name)),
    ['100', '3307', undefined, undefined],
  )
  assert.equal(optionIn('[mysqld]\nslow_query_log_file = "/a b"\n', 'slow_query_log_file'), '/a b')
})

test('sets the last mention, and keeps every other byte', () => {
  assert.equal(
    withOption(text, 'max_connections', '200'),
    text.replace('max-connections=100 #', 'max-connections=200 #'),
  )
  assert.equal(withOption(text, 'port', '3308'), text.replace('3307', '3308'))
  assert.equal(withOption(text, 'port', '3307'), text)
})

test('adds an option to the group of the server, and removes it without a trace', () => {
  const added = withOption(text, 'read_only', 'ON')
  assert.equal(added, text.replace('[mysqld]\n', '[mysqld]\nread_only = ON\n'))
  assert.equal(withOption(added, 'read_only', null), text)
  for (const before of ['', '# mine\n', '[client]\nuser = a']) {
    const first = withOption(before, 'port', '3307')
    assert.match(first, /\[mysqld\]\nport = 3307\n$/)
    assert.equal(optionIn(first, 'port'), '3307')
  }
  assert.equal(withOption(withOption('', 'port', '3307'), 'port', null), '')
  assert.equal(withOption('', 'port', null), '')
})

test('writes no value that would begin another line, group or comment', () => {
  for (const value of ['1\nport=2', '1 # a', '[x]', '"a"', "'a'", ' '])
    assert.throws(() => withOption('', 'port', value), /cannot be written/)
})
