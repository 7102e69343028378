import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { area } from '../core/area.ts'
import { data, list } from '../core/reply.ts'
import { upload } from '../core/endpoint.ts'
import { change } from '../core/change.ts'
import { type Call, client, urlOf } from './call.ts'
import type { AnswerOf } from './sent.ts'

const { endpoint } = area.of<object>()
const Box = Type.Object({ id: Type.Integer(), label: Type.String() })
const endpoints = {
  listBoxes: endpoint({
    method: 'GET',
    path: '',
    summary: 'List boxes',
    effect: 'reads',
    reply: list(Box, { sort: ['id'], search: [] }),
    run: () => ({ items: [], total: 0 }),
  }),
  editBox: endpoint({
    method: 'PATCH',
    path: '/{id}/of/{name}',
    summary: 'Edit a box',
    effect: 'changes',
    params: Type.Object({ id: Type.Integer(), name: Type.String() }),
    body: Type.Object({ label: Type.String() }),
    reply: data(Box),
    run: ({ params, body }) => change({ summary: 'Edit', reply: { id: params.id, ...body } }),
  }),
  sendBox: endpoint({
    method: 'POST',
    path: '/file',
    summary: 'Send a box',
    effect: 'changes',
    body: upload(Type.Object({ name: Type.String() }), { maxBytes: 10 }),
    reply: data(Box),
    run: () => change({ summary: 'Send', reply: { id: 1, label: '' } }),
  }),
}
const boxes = client<typeof endpoints>({
  listBoxes: 'GET /boxes',
  editBox: 'PATCH /boxes/{id}/of/{name}',
  sendBox: 'POST /boxes/file',
})

test('a call has the method and path of its operation, with the values of the path encoded', () => {
  const call = boxes.editBox({ params: { id: 7, name: 'a/b ü' }, body: { label: 'x' }, ifMatch: 3 })
  assert.deepEqual(call, {
    method: 'PATCH',
    path: '/boxes/7/of/a%2Fb%20%C3%BC',
    body: { label: 'x' },
    ifMatch: 3,
  })
  assert.equal(urlOf(call), '/api/boxes/7/of/a%2Fb%20%C3%BC')
})

test('a query leaves out what is undefined or empty', () => {
  const call = boxes.listBoxes({ query: { page: 2, search: '', kind: undefined, label: 'ä&b' } })
  assert.equal(urlOf(call), '/api/boxes?page=2&label=%C3%A4%26b')
  assert.equal(urlOf(boxes.listBoxes()), '/api/boxes')
})

test('a call knows the types of what it takes and answers', () => {
  const page: AnswerOf<typeof endpoints.listBoxes> = { items: [], total: 0, page: 1, per_page: 50 }
  // @ts-expect-error a page has a number
  const unnumbered: AnswerOf<typeof endpoints.listBoxes> = { items: [], total: 0, per_page: 50 }
  const call: Call<{ id: number; label: string }> = boxes.sendBox({ query: { name: 'a' } })
  // @ts-expect-error a box has a label, not a colour
  const other: Call<{ colour: string }> = boxes.sendBox()
  // @ts-expect-error an id is in the path
  assert.throws(() => boxes.editBox({ body: { label: 'x' } }).ifMatch.toFixed())
  // @ts-expect-error a label is text
  const misfit = boxes.editBox({ params: { id: 1, name: 'a' }, body: { label: 1 } })
  assert.deepEqual([page.page, unnumbered.total], [1, 0])
  assert.deepEqual([call.query, other.path, misfit.body], [{ name: 'a' }, '/boxes/file', { label: 1 }])
})
