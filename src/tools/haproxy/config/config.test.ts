import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Problem } from '../../../core/problem.ts'
import { parseConfig, writeConfig } from './config.ts'
import { editText, restoreSection, touchedSection } from './edits.ts'
import { frontendsOf } from './frontends.ts'
import { maskConfig, unmaskConfig } from './mask.ts'
import { backendsOf } from './proxies.ts'
import { sectionsOf } from './sections.ts'
import { editServer, readServer } from './server-line.ts'
import { usersOfBackend } from './uses.ts'
import { encodeToken, firstToken, readTokens } from './tokens.ts'

const texts = (line: string) => readTokens(line).map(({ text }) => text)

test('parsing and writing restore any text byte for byte', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      '\\',
      '"',
      "'",
      '#',
      ' ',
      '\t',
      '.if',
      'backend a',
      'server s 1.2.3.4:80',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece), (parts) => writeConfig(parseConfig(parts.join(''))) === parts.join('')),
    { numRuns: 2000, seed: 1 },
  )
})

test('parses sections and tokens in any text', () => {
  const line = fc.constantFrom(
    'backend a',
    'frontend "b" # c',
    '.if x',
    '.endif',
    '.else',
    'server s 1.2.3.4:80',
    '  server "',
    '',
    '# note',
    'defaults',
    'global',
    'listen a',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
      const config = parseConfig(lines.join('\n'))
      backendsOf(config)
      frontendsOf(config)
      return sectionsOf(config).every(({ start, ownEnd, end }) => start < ownEnd && ownEnd <= end)
    }),
    { numRuns: 1000, seed: 2 },
  )
})

test('an encoded token is parsed to the same text', () => {
  const token = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))
  fc.assert(
    fc.property(fc.array(token, { minLength: 1 }), (tokens) =>
      assert.deepEqual(texts(tokens.map(encodeToken).join(' ')), tokens),
    ),
    { numRuns: 2000, seed: 3 },
  )
})

test('the fast path for the first token agrees with the tokenizer', () => {
  const part = fc.constantFrom('a', 'server', ' ', '\t', '"', "'", '\\', '#', '\r', '\0', '.if', 'x1')
  fc.assert(
    fc.property(fc.array(part), (parts) =>
      assert.equal(firstToken(parts.join('')), readTokens(parts.join(''))[0]?.text),
    ),
    { numRuns: 3000, seed: 4 },
  )
})

test('parses tokens by the rules of HAProxy, as haproxy 2.6 prints them', () => {
  assert.deepEqual(texts('a"b c"\'d e\''), ['ab cd e'])
  assert.deepEqual(texts('a#b'), ['a'])
  assert.deepEqual(texts("'a\\ b'"), ['a\\ b'])
  assert.deepEqual(texts('\\1\\q'), ['\\1\\q'])
  assert.deepEqual(texts('"a\\x41\\"\\#\\\'"'), ['aA"#\''])
  assert.deepEqual(texts('\\x41\\"\\\'\\$x'), ['A"\'\\$x'])
  assert.deepEqual(texts('"\\$HOME"'), ['$HOME'])
  assert.deepEqual(texts('a\\ b\tc\r\n'), ['a b', 'c'])
})

const config = `defaults
  mode http
frontend web
  bind :80
  default_backend app
backend app
  balance leastconn
  server a 192.0.2.1:80 check weight 5 # first
  server b [2001:db8::1]:443 ssl verify none backup
  server c unix@/run/c.sock cookie weight
`

test('a backend shows its effective settings and its servers', () => {
  const [app] = backendsOf(parseConfig(config))
  assert.equal(app?.mode, 'http')
  assert.equal(app?.namesMode, false)
  assert.equal(app?.balance, 'leastconn')
  const unset = {
    interval: null,
    rise: null,
    fall: null,
    maxConnections: null,
    verify: null,
    sni: null,
    cookie: null,
  }
  const server = { ...unset, isChecked: false, usesTls: false, isBackup: false, weight: null }
  assert.deepEqual(app?.servers, [
    { ...server, name: 'a', address: '192.0.2.1', port: 80, weight: 5, isChecked: true },
    {
      ...server,
      name: 'b',
      address: '2001:db8::1',
      port: 443,
      usesTls: true,
      isBackup: true,
      verify: 'none',
    },
    { ...server, name: 'c', address: 'unix@/run/c.sock', port: null, cookie: 'weight' },
  ])
})

const settings = {
  name: 'a',
  address: '192.0.2.9',
  port: 81,
  weight: null,
  isBackup: false,
  usesTls: false,
  isChecked: true,
}

test('editing a server keeps its other parameters, their spelling and its comment', () => {
  const line = '\tserver  a 192.0.2.1:80 check inter 2s cookie "s 1" weight 5   on-error fastinter # mind\r\n'
  assert.equal(
    editServer(line, settings),
    '\tserver  a 192.0.2.9:81 check inter 2s cookie "s 1"   on-error fastinter # mind\r\n',
  )
  assert.equal(readServer('  server a 1.2.3.4:80 cookie weight')?.weight, null)
})

test('an edit of a name that is taken, missing or still used is refused with the conflicting section', () => {
  const refusal = (edit: Parameters<typeof editText>[1]) => {
    try {
      editText(config, edit)
    } catch (error) {
      return error instanceof Problem ? `${error.kind.status} ${error.message}` : String(error)
    }
    return 'accepted'
  }
  assert.equal(
    refusal({ do: 'add-backend', name: 'app', mode: 'http', balance: 'roundrobin' }),
    '409 name: a backend app already exists',
  )
  assert.equal(
    refusal({ do: 'remove-backend', name: 'app' }),
    '409 name: the backend app is used by frontend web (default_backend)',
  )
  assert.equal(refusal({ do: 'remove-backend', name: 'nope' }), '404 name: there is no backend nope')
  assert.equal(
    refusal({ do: 'add-server', name: 'app', server: settings }),
    '409 name: the backend app already has a server a',
  )
  assert.equal(
    refusal({ do: 'remove-server', name: 'app', removed: 'z' }),
    '404 server: the backend app has no server z',
  )
  assert.equal(
    refusal({ do: 'edit-frontend', name: 'web', parts: { acls: [{ name: 'x', criterion: 'path /a # b' }] } }),
    '400 acls: "path /a # b": put # in quotes, or it begins a comment',
  )
  assert.equal(
    refusal({ do: 'edit-frontend', name: 'web', parts: { acls: [{ name: 'x', criterion: 'path "/a' }] } }),
    '400 acls: "path \\"/a": a quote is not closed',
  )
  assert.equal(
    refusal({
      do: 'edit-frontend',
      name: 'web',
      parts: { acls: [{ name: 'x', criterion: 'path /a\nglobal' }] },
    }).slice(0, 4),
    '400 ',
  )
})

test('a name in a comment or in an unrelated position is not a use', () => {
  assert.deepEqual(
    usersOfBackend(parseConfig('frontend f\n # use_backend x\n default_backend y\nbackend x\n'), 'x'),
    [],
  )
  assert.deepEqual(
    usersOfBackend(parseConfig('frontend f\n http-request track-sc0 src table x\nbackend x\n'), 'x'),
    ['frontend f (http-request)'],
  )
})

test('restores a section although other sections have changed since', () => {
  const edit = { do: 'remove-server', name: 'app', removed: 'b' } as const
  const before = touchedSection(config, edit)
  const after = editText(editText(config, edit), {
    do: 'add-backend',
    name: 'other',
    mode: 'http',
    balance: 'roundrobin',
  })
  const restored = restoreSection(after, edit, before)
  assert.equal(touchedSection(restored, edit), before)
  assert.match(restored, /^backend other$/m)
})

test('parses, edits and writes 5,000 servers within 100 ms', () => {
  const servers = Array.from(
    { length: 5000 },
    (_, index) =>
      `  server s${index} 10.0.${index >> 8}.${index & 255}:80 check weight ${(index % 100) + 1}\n`,
  )
  const text = `${config}backend big\n${servers.join('')}`
  const edit = {
    do: 'replace-server',
    name: 'big',
    replaced: 's4999',
    server: { ...settings, name: 's4999' },
  } as const
  assert.match(editText(text, edit), /server s4999 192\.0\.2\.9:81 check/)
})

test('hides every line with a password, and restores it when the text is written', () => {
  const lines = [
    ['  setenv DB_PASSWORD s3cret', '  setenv DB_PASSWORD ••••••••'],
    ['  setenv LANG C', '  setenv LANG C'],
    ['  tcp-check send AUTH\\ s3cret\\r\\n # redis', '  tcp-check send •••••••• # redis'],
    ['  tcp-check send PING\\r\\n', '  tcp-check send PING\\r\\n'],
    [
      '  option httpchk GET / HTTP/1.0\\r\\nAuthorization:\\ Basic\\ s3cret',
      '  option httpchk GET / ••••••••',
    ],
    ['  http-check send hdr Authorization "Basic s3cret"', '  http-check send hdr Authorization ••••••••'],
    ['  stats auth ann:s3cret', '  stats auth ann:••••••••'],
  ]
  const text = lines.map(([line]) => `${line}\n`).join('')
  const masked = maskConfig(text)
  assert.equal(masked, lines.map(([, line]) => `${line}\n`).join(''))
  assert.equal(unmaskConfig(masked, text), text)
})
