import assert from 'node:assert/strict'
import { domainToASCII } from 'node:url'
import { test } from 'node:test'
import { binder } from './bind.ts'
import { Hostname, TypedHostname } from './schemas.ts'
import { hostnameFromTyped } from './typed-hostname.ts'

const bind = binder(TypedHostname, 'domain')

test('reads the host name from what people paste', () => {
  for (const typed of [
    'www.example.com',
    '  WWW.Example.com\t',
    'https://www.example.com/',
    'HTTP://www.example.com/a/b?c=https://d#e',
    'www.example.com/index.html',
    'www.example.com?q=1',
    'www.example.com.',
    'https://www.example.com./a',
  ])
    assert.equal(bind(typed).value, 'www.example.com', typed)
})

test('converts an international name as domainToASCII does', () => {
  for (const typed of [
    'Bücher.example',
    'пример.рф',
    '例え.jp',
    'faß.de',
    'a。example.com',
    'xn--bcher-kva.example',
  ])
    assert.equal(bind(typed).value, domainToASCII(typed), typed)
})

test('leaves what is no host name for the schema to reject', () => {
  for (const typed of [
    '',
    'https://',
    'localhost',
    '192.0.2.1',
    'example.com:8080',
    'https://ada@example.com/',
    'a.example.com\nb.example.com',
    'a.example.com\0',
    'a b.example.com',
    'a.example.com..',
    'a.example.com;',
    '-a.example.com',
    '*.example.com',
    `${'a'.repeat(3000)}.example.com`,
    7,
  ])
    assert.match(bind(typed).issue ?? '', /^domain: must be a host name/, JSON.stringify(typed))
})

test('changes no name that the plain schema accepts', () => {
  const plain = binder(Hostname, 'domain')
  for (const name of ['example.com', 'a-b.example.co', 'a.xn--p1ai'])
    assert.equal(hostnameFromTyped(name), plain(name).value)
})
