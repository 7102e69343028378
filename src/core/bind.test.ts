import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import { binder, textBinder } from './bind.ts'
import { Email, Hostname, Id, OneOf, Optional, Port, Text, Time, UnixName } from './schemas.ts'

const Site = Type.Object({
  domain: Hostname,
  port: Optional(Port),
  owner: Type.Object({ name: UnixName, note: Optional(Text(10)) }),
  mode: OneOf(['static', 'php'], { default: 'static' }),
  aliases: Type.Array(Type.Object({ host: Hostname }), { maxItems: 2, default: [] }),
  until: Optional(Time),
  parent: Optional(Type.Union([Id, Type.Null()])),
})
const bind = binder(Site, 'body')
const right = { domain: 'www.example.com', owner: { name: 'ada' } }

describe('binding a body', () => {
  it('fills defaults, each time with a fresh value, and drops unknown fields at every depth', () => {
    const given = {
      ...right,
      extra: 1,
      owner: { name: 'ada', root: true },
      aliases: [{ host: 'a.example.com', x: 1 }],
    }
    assert.deepEqual(bind(given).value, { ...right, mode: 'static', aliases: [{ host: 'a.example.com' }] })
    const [first, second] = [bind(right).value, bind(right).value]
    assert.notEqual(first.aliases, second.aliases)
  })

  it('names the invalid field and what would be valid', () => {
    const issue = (change: object) => bind({ ...right, ...change }).issue
    assert.equal(
      issue({ domain: '-x.example.com' }),
      'domain: must be a host name in lower case such as www.example.com',
    )
    assert.equal(issue({ port: 70_000 }), 'port: must be a port from 1 to 65535')
    assert.equal(issue({ mode: 'cgi' }), 'mode: must be one of static, php')
    assert.equal(
      issue({ owner: { name: 'Ada Lovelace' } }),
      'owner.name: must be a Linux account name: lower-case letters, digits, _ and -, at most 32, not starting with a digit or -',
    )
    assert.equal(
      issue({ aliases: [{ host: 'a.example.com' }, { host: '' }] }),
      'aliases.1.host: must be a host name in lower case such as www.example.com',
    )
    assert.equal(issue({ owner: 'ada' }), 'owner: must be a JSON object')
    assert.equal(issue({ aliases: 'a' }), 'aliases: must be a list')
    assert.match(issue({ until: 'tomorrow' }) ?? '', /^until: must /)
    assert.match(issue({ parent: 'x' }) ?? '', /^parent: must /)
  })

  it('names the key of a record whose value is wrong, and the record where the key is', () => {
    const Port = Type.Integer({ expects: 'a number' })
    const ports = Type.Record(Type.String({ pattern: '^[a-z.]+$' }), Port, {
      additionalProperties: false,
      expects: 'ports by name',
    })
    const bindPorts = binder(Type.Object({ ports }), 'body')
    assert.deepEqual(bindPorts({ ports: { 'a.b': 1 } }).value, { ports: { 'a.b': 1 } })
    assert.equal(bindPorts({ ports: { 'a.b': 'x' } }).issue, 'ports.a.b: must be a number')
    assert.equal(bindPorts({ ports: { 'a\nb': 1 } }).issue, 'ports: must be ports by name')
  })

  it('names a missing field, a nested one and the body itself too', () => {
    assert.equal(
      bind({ owner: { name: 'ada' } }).issue,
      'domain: is required; it must be a host name in lower case such as www.example.com',
    )
    assert.match(bind({ ...right, owner: {} }).issue ?? '', /^owner\.name: is required/)
    for (const value of [null, 5, 'text', [right]])
      assert.equal(bind(value).issue, 'body: must be a JSON object')
  })

  it('coerces nothing', () => {
    assert.equal(bind({ ...right, port: '80' }).issue, 'port: must be a port from 1 to 65535')
    assert.match(bind({ ...right, domain: 5 }).issue ?? '', /^domain: must be/)
  })

  it('treats __proto__, constructor and inherited names as unknown fields', () => {
    const hostile = JSON.parse(
      '{"__proto__": {"port": 22, "isAdmin": true}, "constructor": 1, "domain": "www.example.com", "owner": {"name": "ada"}}',
    )
    const { value } = bind(hostile)
    assert.deepEqual(
      [value.port, value.isAdmin, Object.getPrototypeOf(value) === Object.prototype],
      [undefined, undefined, true],
    )
    assert.equal(Object.hasOwn(value, 'constructor'), false)
  })

  it('counts a value of undefined as absent', () => {
    assert.deepEqual(bind({ ...right, port: undefined, mode: undefined }).value, {
      ...right,
      mode: 'static',
      aliases: [],
    })
  })
})

describe('binding a path or a query', () => {
  const query = textBinder(
    Type.Object({
      id: Optional(Id),
      ratio: Optional(Type.Number({ minimum: -1, maximum: 1 })),
      all: Optional(Type.Boolean()),
      tag: Optional(Type.Array(Text(5), { maxItems: 3 })),
      q: Optional(Text(5)),
      limit: Type.Integer({ minimum: 1, maximum: 500, default: 50 }),
    }),
    'query',
  )

  it('reads numbers, booleans and lists from their text', () => {
    assert.deepEqual(query({ id: '12', ratio: '-0.5', all: 'true', tag: 'a', limit: '7' }).value, {
      id: 12,
      ratio: -0.5,
      all: true,
      tag: ['a'],
      limit: 7,
    })
    assert.deepEqual(query({ all: '0', tag: ['a', 'b'] }).value, { all: false, tag: ['a', 'b'], limit: 50 })
  })

  it('rejects text, spaces, exponents, hexadecimal, infinity and the empty string as numbers', () => {
    for (const id of ['x', ' 1', '1e3', '0x10', 'Infinity', '', '1.5', '-1', '99999999999999999999'])
      assert.equal(query({ id }).issue, 'id: must be a positive whole number', id)
    assert.equal(query({ limit: '501' }).issue, 'limit: must be <= 500')
    assert.equal(query({ all: 'maybe' }).issue, 'all: must be true or false')
  })

  it('refuses a repeated parameter that is no list, and drops unknown ones', () => {
    assert.match(query({ q: ['a', 'b'] }).issue ?? '', /^q: must be/)
    assert.match(query({ limit: ['1', '2'] }).issue ?? '', /^limit: must be/)
    assert.equal(query({ all: ['1', '0'] }).issue, 'all: must be true or false')
    assert.deepEqual(query({ q: 'b', other: 'x' }).value, { q: 'b', limit: 50 })
  })
})

describe('the schemas', () => {
  const accepts = (schema: Type.TSchema, value: unknown) => binder(schema, 'value')(value).issue === undefined

  it('Hostname accepts names with two labels and no leading dash, and nothing with a meaning in a configuration file', () => {
    for (const name of ['example.com', 'a-b.example.co', 'xn--bcher-kva.example', 'a.xn--p1ai'])
      assert.ok(accepts(Hostname, name), name)
    for (const name of [
      '',
      'localhost',
      '-a.example.com',
      'a-.example.com',
      'A.example.com',
      'a..example.com',
      'a.example.com;',
      'a.example.com\n',
      'a b.example.com',
      '1.2.3.4',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(130)}com`,
      'a.example.com}',
    ]) {
      assert.ok(!accepts(Hostname, name), JSON.stringify(name))
    }
  })

  it('Text rejects control characters, Email a value with no @ or two', () => {
    assert.ok(accepts(Text(20), "$ & ; ' ( ) ä 🦀"))
    for (const text of ['a\nb', 'a\0b', 'a\x7f', 'x'.repeat(21)]) assert.ok(!accepts(Text(20), text))
    assert.ok(accepts(Email, "o'hara+tag@example.com"))
    for (const email of ['a', '@b', 'a@', 'a@b@c', 'a b@c', 'a\n@b', '<a@b>'])
      assert.ok(!accepts(Email, email), email)
  })

  it('UnixName rejects the names that useradd rejects', () => {
    for (const name of ['ada', '_svc', 'a-1']) assert.ok(accepts(UnixName, name))
    for (const name of ['', '-a', '1a', 'Ada', 'a.b', 'a/b', 'root\n', 'x'.repeat(33)])
      assert.ok(!accepts(UnixName, name), JSON.stringify(name))
  })
})
