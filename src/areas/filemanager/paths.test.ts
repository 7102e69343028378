import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { childOf, nameOf, pathFields, pathOf, pathsOf, siblingOf } from './paths.ts'

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
const refused = (message: RegExp) => (error: unknown) =>
  error instanceof Problem && error.kind.status === 400 && message.test(error.message)

describe('the paths of a request', () => {
  it('are read from text or bytes, and keep the name of their field', () => {
    assert.deepEqual(pathOf({ path: '/käse' }, 'path'), { field: 'path', path: '/käse' })
    assert.deepEqual(pathOf({ path_b64: Buffer.from('käse').toString('base64url') }, 'path'), {
      field: 'path_b64',
      path: 'käse',
    })
    assert.deepEqual(pathOf({}, 'path', ''), { field: 'path', path: '' })
    const odd = pathOf({ path_b64: base64('k\xe4se') }, 'path')
    assert.deepEqual(pathFields(odd.path), { path: 'k\ufffdse', path_b64: base64('k\xe4se') })
    assert.deepEqual(pathFields(childOf(pathOf({ path: '/d/' }, 'path'), odd).path), {
      path: 'd/k\ufffdse',
      path_b64: base64('d/k\xe4se'),
    })
    assert.deepEqual(siblingOf(pathOf({ path: 'd/e/' }, 'path'), nameOf({ name: 'x' }, 'name')), {
      field: 'name',
      path: 'd/x',
    })
    assert.deepEqual(
      pathsOf({ paths_b64: [base64('a'), base64('\xff')] }, 'paths').map(({ path }) => pathFields(path).path),
      ['a', '\ufffd'],
    )
  })

  it('are rejected if both forms or neither are given, or if they are invalid', () => {
    assert.throws(() => pathOf({ path: 'a', path_b64: 'YQ' }, 'path'), refused(/^path: .*path_b64/))
    assert.throws(() => pathOf({}, 'path'), refused(/^path: is required/))
    assert.throws(() => pathsOf({}, 'paths'), refused(/^paths: is required/))
    assert.throws(() => pathOf({ path_b64: 'YQYQY' }, 'path'), refused(/^path_b64: must be base64/))
    assert.throws(() => pathOf({ path_b64: base64('a\0b') }, 'path'), refused(/^path_b64: .*NUL/))
    assert.throws(() => pathOf({ path_b64: base64('../x') }, 'path'), refused(/^path_b64: .*\.\./))
    assert.throws(() => pathOf({ path: 'a\udcff' }, 'path'), refused(/^path: must be valid text/))
    assert.throws(() => pathsOf({ paths: ['ok', 'a\0'] }, 'paths'), refused(/^paths: a/))
    for (const name of ['a/b', '.', '..', ''])
      assert.throws(() => nameOf({ name_b64: base64(name) }, 'name'), refused(/^name_b64: /))
  })
})
