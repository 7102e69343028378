import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { routeRows } from './routes.ts'

test('names the file that declares each endpoint, also of several that one statement exports', () => {
  const rows = routeRows()
  assert.ok(rows.length > 100)
  assert.deepEqual(
    rows.filter(
      ({ file }) => file === undefined || !existsSync(new URL(`../../../${file}`, import.meta.url)),
    ),
    [],
  )
  assert.deepEqual(
    routeRows('/api/lbproxy/reload').map(({ method, file }) => [method, file]),
    [['POST', 'src/areas/lbproxy/endpoints/program.ts']],
  )
})

test('finds a path with its values, and all below it', () => {
  assert.deepEqual(
    routeRows('/websites/7/aliases').map(({ method, path }) => `${method} ${path}`),
    [
      'GET /api/websites/{id}/aliases',
      'POST /api/websites/{id}/aliases',
      'DELETE /api/websites/{id}/aliases/{name}',
    ],
  )
})
