import assert from 'node:assert/strict'
import { it } from 'node:test'
import { targetOf, textOfNowhere } from './links.ts'

it('follows a relative link by its text, and none that leaves the home', () => {
  const at = (path: string, link_target: string) => targetOf({ path, link_target })
  assert.equal(at('pub', 'site'), 'site')
  assert.equal(at('a/b/pub', '../c/./d/'), 'a/c/d')
  assert.equal(at('a/pub', '..'), '')
  assert.equal(at('pub', '..'), undefined)
  assert.equal(at('pub', '/etc'), undefined)
})

it('says where a link leads that leads nowhere', () => {
  assert.equal(
    textOfNowhere({ path: 'a/x', link_target: '/etc' }),
    'a/x is a link to /etc, which does not exist or is outside of the home.',
  )
})
