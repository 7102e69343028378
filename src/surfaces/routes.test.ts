import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { area } from '../core/area.ts'
import { change } from '../core/change.ts'
import { signedIn, superuser } from '../core/guard.ts'
import { succeeded, success } from '../core/reply.ts'
import { allowedMethods } from './http/paths.ts'
import { actionOf, routesOf } from './routes.ts'

const { endpoint } = area.of<object>()
const made = (method: 'POST' | 'DELETE', path: string, more: object = {}) =>
  endpoint({
    method,
    path,
    summary: 'x',
    effect: 'changes',
    reply: succeeded,
    run: () => change({ summary: 'x', reply: success }),
    ...more,
  })
const shop = area({
  name: 'web-shop',
  title: 'Shop',
  base: '/shop',
  guard: signedIn,
  errors: 'coded',
  open: () => ({}),
  endpoints: [
    made('POST', ''),
    made('DELETE', '/{id}'),
    made('POST', '/{id}/re-open', { guard: superuser }),
    made('POST', '/a.b', { action: 'word' }),
  ],
})
const routes = routesOf([{ area: shop, context: {} }])

describe('the route table', () => {
  it('joins base and path, and takes the guard of the endpoint before that of the area', () => {
    assert.deepEqual(
      routes.map(({ path, guard }) => [path, guard.kind]),
      [
        ['/api/shop', 'signed-in'],
        ['/api/shop/{id}', 'signed-in'],
        ['/api/shop/{id}/re-open', 'superuser'],
        ['/api/shop/a.b', 'signed-in'],
      ],
    )
  })

  it('names actions by area and verb unless the description has a word', () => {
    assert.deepEqual(routes.map(actionOf), ['web_shop_create', 'web_shop_delete', 'web_shop_re_open', 'word'])
  })

  it('tells the methods of a path, its dots being dots', () => {
    const methodsOf = allowedMethods(routes)
    assert.deepEqual(
      ['/api/shop/5/', '/api/shop', '/api/shop/axb', '/api/other'].map((path) => methodsOf(path).methods),
      [['DELETE'], ['POST'], ['DELETE'], []],
    )
  })
})
