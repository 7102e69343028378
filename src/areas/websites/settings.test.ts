import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../core/caller.ts'
import { Problem } from '../../core/problem.ts'
import { changedSettings } from './settings.ts'
import { defaultSettings } from './settings-model.ts'

const caller = { user: { id: 1, isAdmin: false } } as Caller
const edit = (from: string) =>
  changedSettings(
    {} as never,
    { type: 'static', settings: defaultSettings },
    { redirects: [{ from, to: '/new' }] },
    caller,
  )

for (const [typed, stored] of [
  ['/alte%20seite.html', '/alte seite.html'],
  ['/caf%C3%A9', '/café'],
  ['/café', '/café'],
  ['/50%25', '/50%'],
] as const)
  test(`stores the path ${typed} of a redirect in the form that nginx compares`, async () => {
    assert.deepEqual((await edit(typed)).redirects, [{ from: stored, to: '/new' }])
  })

for (const from of ['/old?x=1', '/old#part', '/a%', '/a%ff', '/a%0d%0aX', '/a%24uri', '/a%00'])
  test(`refuses the path ${from} of a redirect, which can never match`, async () => {
    await assert.rejects(edit(from), (error) => {
      assert.ok(error instanceof Problem && error.kind.code === 'bad_request', String(error))
      assert.match(error.message, /^redirects\.0\.from: /)
      return true
    })
  })
