import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { addresses, readAddress } from './addresses.ts'
import { credentials, hostOf, readCredentials } from './credentials.ts'

const host = 'mail.example.com'
const to = { username: 'panel', password: 'secret' }
const set = { host, former: host, to }
const remove = { host, former: host, to: null }

function assertTakenBack(text: string, edit: typeof set | typeof remove): void {
  const wanted = credentials.edit(text, edit)
  const before = {
    part: credentials.part(text, edit),
    wanted: credentials.part(wanted, edit),
    kept: credentials.keep(text, wanted),
    wasServed: true,
  }
  assert.equal(credentials.takeBack(wanted, edit, before), text)
}

for (const [title, text, wanted] of [
  ['an empty file', '', '*:panel:secret\n'],
  ['comments alone', '# a\n\n', '# a\n\n*:panel:secret\n'],
  ['entries of others, after them', '# a\nother:u:p\n', '# a\nother:u:p\n*:panel:secret\n'],
  [
    'an entry of the host',
    'other:u:p\nMail.example.com: old:x\n*:b:c\n',
    'other:u:p\nMail.example.com:panel:secret\n*:b:c\n',
  ],
  ['an entry of its domain', '*.example.com:u:p\n', '*.example.com:panel:secret\n'],
  ['a pattern', '^MAIL\\d?\\.example:u:p\n*:b:c\n', '^MAIL\\d?\\.example:panel:secret\n*:b:c\n'],
  ['a pattern with case', '^(?-i)MAIL:u:p\n', '^(?-i)MAIL:u:p\n*:panel:secret\n'],
  ['a pattern of PCRE alone', '^\\Q.:u:p\n(?x', '^\\Q.:u:p\n(?x\n*:panel:secret\n'],
  [
    'a quoted and continued entry',
    '"mail.example.com" :\n  old:x\nother:u:p\n',
    '"mail.example.com":panel:secret\nother:u:p\n',
  ],
  ['an entry with the value', 'mail.example.com:  panel:secret  \n', 'mail.example.com:  panel:secret  \n'],
  ['a last line without an end', '# a', '# a\n*:panel:secret\n'],
] as const)
  test(`signs in through ${title}, and takes it back to the byte`, () => {
    assert.equal(credentials.edit(text, set), wanted)
    assert.deepEqual(readCredentials(wanted, host), to)
    assertTakenBack(text, set)
  })

test('removes every entry that the relay would be sent, and no other', () => {
  const text = '# a\nother:u:p\n*:a:b\nmail.example.com:c:d\n^.*\\.org:e:f\n'
  assert.equal(credentials.edit(text, remove), '# a\nother:u:p\n^.*\\.org:e:f\n')
  assertTakenBack(text, remove)
})

test('removes on a change of the relay what only both relays would be sent', () => {
  const text = 'old:a:b\nnew:c:d\n*:e:f\n'
  assert.equal(credentials.edit(text, { former: 'old', host: 'new', to: null }), 'old:a:b\nnew:c:d\n')
  assert.equal(credentials.edit(text, { former: 'old', host: '', to: null }), 'new:c:d\n')
})

test('takes an entry back from a file that was edited in the meantime', () => {
  const text = 'other:u:p\n*:a:b\n'
  const wanted = credentials.edit(text, set)
  const before = { part: '*:a:b\n', wanted: '*:panel:secret\n', kept: text, wasServed: true }
  assert.equal(credentials.takeBack(`${wanted}more:c:d\n`, set, before), `${text}more:c:d\n`)
})

for (const bad of [
  { username: 'a:b', password: 'x' },
  { username: 'a\nroot', password: 'x' },
  { username: ' a', password: 'x' },
  { username: '', password: 'x' },
  { username: 'a', password: 'x\n*:b:c' },
  { username: 'a', password: 'x ' },
  { username: 'a', password: '' },
])
  test(`refuses ${JSON.stringify(bad)}`, () => {
    assert.throws(() => credentials.edit('', { ...set, to: bad }), Problem)
  })

test('stores a password with colons and quotes as it is', () => {
  const odd = { username: 'ada@example.com', password: `a:b"c'd^e;f #g` }
  assert.deepEqual(readCredentials(credentials.edit('', { ...set, to: odd }), host), odd)
})

test('masks every password, also in comments and in lines that are no entries', () => {
  const masked = credentials.mask(
    '# old:a:secret\n\nhost:user:secret\n"x" : u:secret\nhost2:u:\n secret\nhost3:secret\n:secret\n secret\nlast:u:secret',
  )
  assert.doesNotMatch(masked, /secret/)
  assert.match(masked, /^••••••••\n\nhost:user:••••••••\n"x" : u:••••••••\n/)
})

test('finds the host of a route', () => {
  assert.equal(hostOf('Mail.example.com::587'), host)
  assert.equal(hostOf('mail.example.com::587;other::25'), host)
  assert.equal(hostOf(''), '')
})

test('sets the address of one account', () => {
  const text = '# a\nroot2: x@example.com\nROOT: y@example.com\n'
  const wanted = addresses.edit(text, { account: 'root', address: 'z@example.com' })
  assert.equal(wanted, '# a\nroot2: x@example.com\nROOT:z@example.com\n')
  assert.equal(readAddress(wanted, 'root'), 'z@example.com')
  assert.equal(addresses.edit(text, { account: 'root', address: null }), '# a\nroot2: x@example.com\n')
  for (const address of ['a@b, c@d', 'a@b\nx', ':fail: no', ''])
    assert.throws(() => addresses.edit(text, { account: 'root', address }), Problem)
})
