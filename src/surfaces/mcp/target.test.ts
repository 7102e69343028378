import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { targetOf } from './target.ts'

const pathOf = (text: string): string => {
  const { path, query } = targetOf(text)
  return path + query
}

describe('a path of an agent', () => {
  it('has one spelling', () => {
    const spellings = {
      '/api/users': '/api/users',
      users: '/api/users',
      '/users/': '/api/users',
      '//users//': '/api/users',
      '/%75sers': '/api/users',
      '/a/../users': '/api/users',
      '/%2e%2E/api/users': '/api/users',
      '/users?search=a%20b': '/api/users?search=a%20b',
      '/users?search=é': '/api/users?search=%C3%A9',
      '/users#../auth': '/api/users',
      '/zones/a%2Fb': '/api/zones/a%2Fb',
      '/zones/..%2Fauth': '/api/zones/..%2Fauth',
      '/%2561uth/me': '/api/%2561uth/me',
      '/api': '/api',
    }
    for (const [text, path] of Object.entries(spellings)) assert.equal(pathOf(text), path, text)
  })

  it('is refused if it leaves the API or cannot be read', () => {
    for (const text of ['/..', '/../x', '/a b', '/a\\b', '/a\n', '/%', '/%ff', `/${'x'.repeat(9000)}`])
      assert.throws(() => targetOf(text), /^Problem: path: /, text)
  })

  it('reads what it wrote as itself', () => {
    for (const text of ['/zones/..%2Fauth', '/%2561uth/me', '/zones/%3F%23', '/zones/a;b']) {
      const once = pathOf(text)
      assert.equal(pathOf(once), once)
    }
  })
})
