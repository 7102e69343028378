import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { area } from './area.ts'
import { problem } from './problem.ts'
import { data } from './reply.ts'

const { endpoint } = area.of<{ readonly boxes: number }>()
const Box = Type.Object({ id: Type.Integer(), label: Type.String() })
const BoxPath = Type.Object({ id: Type.Integer() })
const Lost = problem('not_found', 404, 'No such box')
const Full = problem('conflict', 409, 'The box is full')
const onBox = endpoint.with({
  params: BoxPath,
  category: 'services',
  throws: { not_found: Lost },
  target: ({ params, boxes }: { readonly params: { readonly id: number }; readonly boxes: number }) => ({
    id: params.id,
    label: `one of ${boxes}`,
  }),
})

test('a preamble gives its fields, types and failures to each declaration that shares it', () => {
  const readBox = onBox({
    method: 'GET',
    path: '/{id}',
    summary: 'Read',
    effect: 'reads',
    reply: data(Box),
    throws: { not_found: Full, conflict: Full },
    run: ({ target, params }) => ({ id: params.id, label: target.label }),
  })
  const own = onBox({
    method: 'GET',
    path: '/{name}',
    summary: 'Read by name',
    effect: 'reads',
    params: Type.Object({ name: Type.String() }),
    reply: data(Box),
    target: ({ params }) => params.name.length,
    run: ({ target, params }) => ({ id: target, label: params.name }),
  })
  // @ts-expect-error the target of the preamble reads `params.id`
  onBox({
    method: 'GET',
    path: '/{name}',
    summary: 'Read by name',
    effect: 'reads',
    params: Type.Object({ name: Type.String() }),
    reply: data(Box),
    run: ({ params }) => ({ id: 1, label: params.name }),
  })
  assert.equal(readBox.params, BoxPath)
  assert.equal(readBox.category, 'services')
  assert.deepEqual(readBox.throws, { not_found: { kinds: [Full, Lost] }, conflict: { kinds: [Full] } })
  assert.deepEqual(readBox.target?.({ params: { id: 3 }, boxes: 2 }), { id: 3, label: 'one of 2' })
  assert.equal(own.target?.({ params: { name: 'abc' } }), 3)
})
