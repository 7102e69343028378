import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import type { Mirrored } from '../../core/mirrored.ts'
import { Id, Ref, Text } from '../../core/schemas.ts'
import { findReference, type NaturalKey, referencesOf } from './natural-keys.ts'

const website: NaturalKey = {
  noun: 'website',
  paths: ['/api/websites/{id}'],
  nameOf: async (id) => (id === 7 ? 'example.com' : undefined),
  idOf: async (name) => (name === 'example.com' ? 9 : undefined),
}
const request = (more: Partial<Mirrored>): Mirrored => ({
  category: 'websites',
  method: 'POST',
  path: '/api/websites/{id}/aliases/{name}',
  url: '/api/websites/7/aliases/www',
  area: 'websites',
  endpoint: { params: Type.Object({ id: Id, name: Text(10) }) },
  params: { id: 7, name: 'www' },
  body: undefined,
  isUpload: false,
  shown: '{}',
  caller: undefined,
  ...more,
})

describe('the references of a request', () => {
  it('are the ids in its path, but no names', async () => {
    assert.deepEqual(await referencesOf([website], request({})), [
      { at: 3, noun: 'website', name: 'example.com' },
    ])
  })

  it('are the ids in its body that are declared as such', async () => {
    const of = (body: string) =>
      referencesOf(
        [website],
        request({
          path: '/api/databases',
          params: undefined,
          body,
          endpoint: { body: Type.Object({ website_id: Ref('website'), size: Type.Integer() }) },
        }),
      )
    assert.deepEqual(await of('{"website_id":7,"size":7}'), [
      { at: 'website_id', noun: 'website', name: 'example.com' },
    ])
    assert.deepEqual(await of('{"size":7}'), [])
    assert.match(String(await of('{"website_id":8}')), /^website_id 8 has no name/)
  })

  it('are a reason where the body names rows by their ids alone, but none in a body that is no JSON', async () => {
    const of = (body: string) =>
      referencesOf(
        [website],
        request({
          path: '/api/dnslb/rules/reorder',
          params: undefined,
          body,
          endpoint: {
            body: Type.Object({ order: Type.Array(Id, { maxItems: 9 }), other: Type.Optional(Id) }),
          },
        }),
      )
    assert.match(String(await of('{"order":[7,3]}')), /^order 7 has no name/)
    for (const none of ['{"order":[]}', '{"order":"x"}', '[1]', 'null', 'no JSON'])
      assert.deepEqual(await of(none), [], none)
  })

  it('are a reason where a row has no name', async () => {
    assert.match(String(await referencesOf([], request({}))), /^id 7 has no name/)
    assert.match(String(await referencesOf([website], request({ params: { id: 8 } }))), /^id 8 has no name/)
  })

  it('are found again by their names', async () => {
    assert.deepEqual(await findReference([website], { noun: 'website', name: 'example.com' }), { id: 9 })
    await assert.rejects(findReference([website], { noun: 'website', name: 'x' }), /no website x/)
    await assert.rejects(findReference([], { noun: 'website', name: 'x' }), /knows no website/)
  })
})
