import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'smol-toml'
import {
  EditImpossible,
  editToml,
  literalOf,
  literalsOf,
  mapLiterals,
  parseToml,
  TomlInvalid,
} from './toml-text.ts'

describe('editing a TOML file', () => {
  test('replaces a value and keeps comments, spaces and order', () => {
    const text = '# mine\n\n  port   =  7070   # behind the balancer\nhost = "127.0.0.1"\n# end\n'
    assert.equal(
      editToml(text, { port: '8080' }),
      '# mine\n\n  port   =  8080   # behind the balancer\nhost = "127.0.0.1"\n# end\n',
    )
  })

  test('adds a value behind the others and before the first table', () => {
    assert.equal(
      editToml('port = 1\n\n# limits of sites\n[limits]\nsites = 3\n', { tls: '"on"' }),
      'port = 1\ntls = "on"\n\n# limits of sites\n[limits]\nsites = 3\n',
    )
    assert.equal(
      editToml('# panel\n\n# limits of sites\n[limits]\nsites = 3\n', { tls: '"on"' }),
      '# panel\n\ntls = "on"\n# limits of sites\n[limits]\nsites = 3\n',
    )
    assert.equal(editToml('', { port: '1' }), 'port = 1\n')
    assert.equal(editToml('# nothing but this', { port: '1' }), '# nothing but this\nport = 1\n')
  })

  test('keeps CRLF and ends the last line before it adds one', () => {
    assert.equal(
      editToml('port = 1 # one\r\nhost = "a"', { port: '2', tls: '"off"' }),
      'port = 2 # one\r\nhost = "a"\r\ntls = "off"\r\n',
    )
  })

  test('removes a value, and keeps the comment behind it', () => {
    assert.equal(editToml('a = 1\nport = 1 # why\nb = 2\n', { port: null }), 'a = 1\n# why\nb = 2\n')
    assert.equal(editToml('a = 1\nport = 1\nb = 2', { port: null }), 'a = 1\nb = 2')
    assert.equal(editToml('a = 1\nb = 2', { b: null }), 'a = 1\n')
    assert.equal(editToml('a = 1\n', { port: null }), 'a = 1\n')
  })

  const hostile: Readonly<Record<string, string>> = {
    'strings of several lines': 'motd = """\nport = 9\n[x]\n\\""" "" # no\n"""""\nport = 1\n',
    'literal strings of several lines': "motd = '''\nport = 9\\''''\nport = 1\n",
    'a literal string that ends with a backslash': "path = 'C:\\'\nport = 1\n",
    'a string with a number sign and an escaped quote': 'note = "a # \\" = b"\nport = 1\n',
    'lists over several lines with comments': 'list = [ # ] "\n  "port = 9", # [\n  [1, 2],\n]\nport = 1\n',
    'inline tables': 'point = { port = 9, list = [ { port = 8 } ] } # {\nport = 1\n',
    'dotted keys': 'site.port = 9\n"port.x" = 2\nport = 1\n',
    'quoted keys with a sign': '"a = b" = 9\n\'port = 2\' = 3\nport = 1\n',
    'a table with the same key': 'port = 1\n[other]\nport = 9\n[[list]]\nport = 8\n',
    dates: 'at = 1979-05-27 07:32:00 # date\nport = 1\n',
  }
  for (const [title, text] of Object.entries(hostile))
    test(`changes only its value among ${title}`, () => {
      const before = parse(text)
      assert.deepEqual(literalsOf(text, ['port', 'tls']), { port: '1', tls: null })
      assert.equal(editToml(text, { port: '2' }), text.replace(/^port = 1$/m, 'port = 2'))
      assert.deepEqual({ ...parse(editToml(text, { port: null })) }, without(before, 'port'))
      assert.deepEqual({ ...parse(editToml(text, { tls: '"on"' })) }, { ...before, tls: 'on' })
      assert.equal(editToml(editToml(text, { tls: '"on"' }), { tls: null }), text)
    })

  test('finds a key that is quoted', () => {
    assert.equal(editToml('"po\\u0072t" = 1\n', { port: '2' }), '"po\\u0072t" = 2\n')
    assert.equal(editToml("'port' = 1\n", { port: '2' }), "'port' = 2\n")
  })

  test('refuses a name that a table or a dotted key has', () => {
    for (const text of ['[port]\nx = 1\n', 'port.x = 1\n', '[[port]]\n'])
      assert.throws(() => editToml(text, { port: '2' }), EditImpossible)
    assert.throws(() => editToml('port.x = 1\n', { port: null }), EditImpossible)
  })

  test('refuses a literal that would add something else', () => {
    assert.throws(() => editToml('a = 1\n', { port: '1\nhost = "x"' }), EditImpossible)
  })

  test('names the line that is not TOML without quoting it', () => {
    for (const [text, line] of [
      ['a = 1\nadmin_password = "hunter2\n', 2],
      ['port = 1\nport = 2\n', 2],
      ['metrics_token = hunter2\n', 1],
    ] as const)
      assert.throws(
        () => editToml(text, { tls: '"on"' }),
        (error: Error) => {
          assert.ok(error instanceof TomlInvalid)
          assert.match(error.message, new RegExp(`^line ${line}, column \\d+: `))
          assert.doesNotMatch(error.message, /hunter2/)
          return true
        },
      )
  })

  test('writes every text so that it is read again', () => {
    for (const text of ['', 'a"b\\c', "it's # x", 'ü 🦊', '\u007f\u0001\t', ' leading', '•'])
      assert.equal(parseToml(`x = ${literalOf(text)}`)['x'], text)
    assert.equal(literalOf(7070), '7070')
  })

  test('replaces literals by name, and leaves tables', () => {
    const text = 'a = """\nx"""\nb.c = 1 # c\n[t]\na = 2\n'
    assert.equal(
      mapLiterals(text, (name, literal) => (name === 'a' ? '0' : literal)),
      'a = 0\nb.c = 1 # c\n[t]\na = 2\n',
    )
  })
})

function without(values: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name))
}
