import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { area } from '../core/area.ts'
import { change } from '../core/change.ts'
import { signedIn, superuser } from '../core/guard.ts'
import { succeeded, success } from '../core/reply.ts'
import { allowedMethods } from './http/paths.ts'
import { actionOf, operationId, routesOf } from './routes.ts'

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
  endpoints: {
    reopenShop: made('POST', '/{id}/re-open', { guard: superuser }),
    createShop: made('POST', ''),
    describeAB: made('POST', '/a.b', { action: 'word' }),
    deleteShop: made('DELETE', '/{id}'),
  },
})
const routes = routesOf([{ area: shop, context: {} }])

describe('the route table', () => {
  it('orders endpoints by path, joins base and path, and takes the guard of the endpoint before that of the area', () => {
    assert.deepEqual(
      routes.map(({ path, guard }) => [path, guard.kind]),
      [
        ['/api/shop', 'signed-in'],
        ['/api/shop/a.b', 'signed-in'],
        ['/api/shop/{id}', 'signed-in'],
        ['/api/shop/{id}/re-open', 'superuser'],
      ],
    )
  })

  it('derives operation ids and actions from the names, unless the contract names the action', () => {
    assert.deepEqual(
      routes.map((route) => [operationId(route), actionOf(route)]),
      [
        ['web-shop.createShop', 'web_shop_create_shop'],
        ['web-shop.describeAB', 'word'],
        ['web-shop.deleteShop', 'web_shop_delete_shop'],
        ['web-shop.reopenShop', 'web_shop_reopen_shop'],
      ],
    )
  })

  it('tells the methods of a path, its dots being dots', () => {
    const methodsOf = allowedMethods(routes)
    assert.deepEqual(
      ['/api/shop/5/', '/api/shop', '/api/shop/axb', '/api/other'].map((path) => methodsOf(path).methods),
      [['DELETE'], ['POST'], ['DELETE'], []],
    )
  })
})
