import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { area } from './area.ts'
import { type AnswerOf, at, type Endpoint, failures, kindsOf, type SentTo } from './endpoint.ts'
import { problem } from './problem.ts'
import { data, list } from './reply.ts'

const { endpoint } = area.of<{ readonly boxes: number }>()
const Box = Type.Object({ id: Type.Integer(), label: Type.String() })

const listBoxes = endpoint({
  method: 'GET',
  path: '',
  summary: 'List',
  effect: 'reads',
  reply: list(Box, { sort: ['id'], search: [] }),
  run: ({ boxes }) => ({ items: [], total: boxes }),
})

const lookUp = endpoint({
  method: 'GET',
  path: '/{id}',
  summary: 'Look up',
  effect: 'reads',
  params: Type.Object({ id: Type.Integer() }),
  body: Type.Object({ label: Type.String() }),
  reply: data(Box),
  run: ({ params, body }) => ({ id: params.id, label: body.label }),
})

test('a declaration keeps the types of what it answers and takes, for those who call it', () => {
  const page: AnswerOf<typeof listBoxes> = { items: [{ id: 1, label: 'a' }], total: 1, page: 1, per_page: 50 }
  const box: AnswerOf<typeof lookUp> = { id: 1, label: 'a' }
  const sent: SentTo<typeof lookUp> = { label: 'a' }
  // @ts-expect-error an id is a number
  const wrong: AnswerOf<typeof lookUp> = { id: '1', label: 'a' }
  // @ts-expect-error a label is missing
  const short: SentTo<typeof lookUp> = {}
  const all: readonly Endpoint[] = [listBoxes, lookUp]
  assert.deepEqual(
    [page.per_page, box.label, sent.label, wrong.label, Object.keys(short), all.length],
    [50, 'a', 'a', 'a', [], 2],
  )
})

test('failures joins records: a code of several has the kinds of all, each once', () => {
  const [Taken, Busy, Gone] = [problem('a', 409, 'a'), problem('b', 409, 'b'), problem('c', 404, 'c')]
  const joined = failures({ conflict: Taken, not_found: Gone }, { conflict: [Busy, Taken] })
  assert.deepEqual(Object.keys(joined), ['conflict', 'not_found'])
  assert.deepEqual(kindsOf(joined['conflict'] ?? []).kinds, [Taken, Busy])
  assert.throws(
    () => failures({ conflict: Taken }, { conflict: at(500, Busy) }),
    /conflict is declared twice/,
  )
})
