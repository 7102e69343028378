import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import { textBinder } from './bind.ts'
import { problem } from './problem.ts'
import { listParameters } from './reply.ts'
import { Text } from './schemas.ts'

describe('the parameters of a list', () => {
  const query = textBinder(
    Type.Object(
      listParameters({ sort: ['name', 'size'], search: ['name'], filter: { owner: Type.Optional(Text(5)) } }),
    ),
    'query',
  )

  it('default to the first page of 50 by the first column', () => {
    assert.deepEqual(query({}).value, { page: 1, per_page: 50, sort: 'name' })
  })

  it('accept every column in both directions, search and filters', () => {
    assert.deepEqual(query({ sort: '-size', search: 'a', owner: 'ada', page: '3', per_page: '500' }).value, {
      page: 3,
      per_page: 500,
      sort: '-size',
      search: 'a',
      owner: 'ada',
    })
  })

  it('reject other columns and pages beyond the limits', () => {
    assert.match(query({ sort: 'password' }).issue ?? '', /^sort: must be one of name, -name, size, -size$/)
    for (const wrong of [{ page: '0' }, { per_page: '501' }, { page: '1000001' }, { page: 'x' }])
      assert.ok(query(wrong).issue)
  })

  it('have no search if no column can be searched', () => {
    assert.ok(!('search' in listParameters({ sort: ['id'], search: [] })))
  })
})

describe('a problem', () => {
  const Taken = problem('taken', 409, 'It is taken', { fields: Type.Object({ by: Type.String() }) })

  it('passes on the status of a program if its kind does, and only a failure', () => {
    const Refused = problem('backend_error', 502, 'Refused', { passesStatus: true })
    const passed = [422, 200, 700, undefined].map((status) => Refused('no', { status }).status)
    assert.deepEqual(passed, [422, undefined, undefined, undefined])
    assert.equal(Taken('no', { status: 422 }).status, undefined)
  })

  it('has its kind, the detail, further fields and the cause', () => {
    const cause = new Error('why')
    const thrown = Taken('name: x is taken', { cause, fields: { by: 'y' } })
    assert.deepEqual(
      [thrown.kind, thrown.message, thrown.fields, thrown.cause, thrown.name],
      [Taken, 'name: x is taken', { by: 'y' }, cause, 'Problem'],
    )
    assert.equal(Taken().message, 'It is taken')
  })
})
