import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { TypedHostname } from '../../core/schemas.ts'
import {
  bodyOf,
  fieldsOf,
  type FieldValues,
  firstValues,
  issuesOf,
  normalized,
  shownFields,
} from './schema-fields.ts'

const Nullable = <Schema extends ReturnType<typeof Type.Object> | ReturnType<typeof Type.String>>(
  schema: Schema,
) => Type.Union([schema, Type.Null()])
const Place = Type.Object({
  address: Type.String({ pattern: '^[0-9.*]+$', default: '*', expects: 'an address' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 80 }),
  tls: Type.Boolean({ default: false }),
  alpn: Type.Optional(Type.String()),
})
const Draft = Type.Object({
  name: Type.String({ minLength: 1 }),
  places: Type.Array(Place, { minItems: 1 }),
  fallback: Type.Optional(Nullable(Type.String())),
  check: Type.Optional(Nullable(Type.Object({ path: Type.String({ default: '/' }) }))),
  verbose: Type.Optional(Type.Boolean()),
})
const text = { 'places.alpn': { label: 'ALPN', when: 'tls' } }
const fields = fieldsOf(Draft, text)

test('begins with one row where a list must not be empty, and sends nothing that was not asked for', () => {
  const values = firstValues(fields)
  assert.deepEqual(values['places'], [{ address: '*', port: 80, tls: false, alpn: '' }])
  assert.deepEqual(bodyOf(fields, { ...values, name: 'web' }), {
    name: 'web',
    places: [{ address: '*', port: 80, tls: false }],
  })
})

test('names the very field of a row that is wrong', () => {
  const values = {
    ...firstValues(fields),
    name: 'web',
    places: [firstValues(fields[1]!.fields), { address: 'x y', port: 70_000, tls: true, alpn: '' }],
  }
  assert.deepEqual(issuesOf(fields, values), {
    'places.1.address': 'Must be an address',
    'places.1.port': 'Invalid value',
  })
})

test('sends what was emptied as empty where something is changed', () => {
  const given = { name: 'web', places: [], fallback: 'shop', check: { path: '/up' }, verbose: true }
  const values = firstValues(fields, given)
  assert.deepEqual(bodyOf(fields, values, true), given)
  assert.deepEqual(bodyOf(fields, { ...values, fallback: '', check: '', verbose: false }, true), {
    ...given,
    fallback: null,
    check: null,
    verbose: false,
  })
})

test('switches a group on with what its schema begins with', () => {
  const check = fields.find(({ name }) => name === 'check')!
  assert.equal(firstValues(fields)['check'], '')
  assert.deepEqual(firstValues(check.fields), { path: '/' })
})

test('shows a field only while the switch beside it is on', () => {
  const [, places] = fields
  const names = (tls: boolean) => shownFields(places!.fields, { tls }).map(({ label }) => label)
  assert.deepEqual([names(true).includes('ALPN'), names(false).includes('ALPN')], [true, false])
})

test('shows a list of labelled choices as checkboxes, and requires no hidden field', () => {
  const Form = Type.Object({
    owner: Type.Enum(['ada', 'new']),
    email: Type.String({ minLength: 1 }),
    grants: Type.Optional(Type.Array(Type.String())),
  })
  const isNew = (values: FieldValues) => values['owner'] === 'new'
  const owned = fieldsOf(Form, {
    owner: { first: '', labels: { ada: 'Ada' } },
    email: { when: isNew },
    grants: { labels: { sites: 'Sites' }, first: ['sites'] },
  })
  assert.deepEqual([owned[2]?.control, owned[2]?.choices], ['checks', ['sites']])
  const values = firstValues(owned)
  assert.deepEqual(issuesOf(owned, values), { owner: 'Required' })
  assert.deepEqual(issuesOf(owned, { ...values, owner: 'ada' }), {})
  assert.deepEqual(issuesOf(owned, { ...values, owner: 'new' }), { email: 'Required' })
  assert.deepEqual(bodyOf(owned, { ...values, owner: 'ada' }), { owner: 'ada', email: '', grants: ['sites'] })
})

test('requires no field whose schema has a default, which is sent where it is left empty', () => {
  const Form = Type.Object({
    name: Type.String({ minLength: 1 }),
    keyword: Type.String({ default: '' }),
    method: Type.String({ minLength: 1, default: 'GET' }),
    seconds: Type.Integer({ minimum: 1, default: 60 }),
    places: Type.Array(Type.String(), { minItems: 1, default: ['here'] }),
  })
  const defaulted = fieldsOf(Form)
  const empty = { name: '', keyword: '', method: '', seconds: '', places: ['there'] }
  assert.deepEqual(issuesOf(defaulted, empty), { name: 'Required' })
  assert.deepEqual(bodyOf(defaulted, { ...empty, name: 'web' }), {
    name: 'web',
    keyword: '',
    method: 'GET',
    seconds: 60,
    places: ['there'],
  })
})

test('checks, shows and sends a typed host name as the server stores it', () => {
  const typed = fieldsOf(
    Type.Object({ domain: TypedHostname, aliases: Type.Optional(Type.Array(TypedHostname)) }),
  )
  const values = {
    domain: ' https://Bücher.example/ ',
    aliases: ['www.Bücher.example', 'WWW.Bücher.example'],
  }
  assert.deepEqual(issuesOf(typed, values), {})
  const sent = { domain: 'xn--bcher-kva.example', aliases: ['www.xn--bcher-kva.example'] }
  assert.deepEqual(bodyOf(typed, values), sent)
  assert.equal(normalized(typed[0]!, values.domain), sent.domain)
  assert.deepEqual(issuesOf(typed, { domain: 'example.com:80', aliases: [] }), {
    domain: 'Must be a host name such as www.example.com',
  })
})
