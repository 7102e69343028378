import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BodyMemory } from './body-memory.ts'

describe('the memory of request bodies', () => {
  it('makes room by giving up those that have been arriving longest', () => {
    const memory = new BodyMemory(100)
    const givenUp: string[] = []
    const open = (name: string) => memory.open(() => givenUp.push(name))
    const [first, second, third] = [open('first'), open('second'), open('third')]
    for (const body of [first, second]) assert.ok(memory.grow(body, 40))
    assert.ok(memory.grow(third, 60))
    assert.deepEqual([givenUp, memory.usedBytes], [['first'], 100])
    assert.equal(memory.grow(second, 1), false)
    memory.release(second)
    assert.deepEqual([givenUp, memory.usedBytes], [['first'], 60])
  })

  it('keeps a body that has arrived as long as its request runs, and refuses another instead', () => {
    const memory = new BodyMemory(100)
    const running = memory.open(() => assert.fail('its request runs'))
    assert.ok(memory.grow(running, 90))
    memory.complete(running)
    const late = memory.open(() => {})
    assert.equal(memory.grow(late, 20), false)
    memory.release(running)
    assert.ok(memory.grow(late, 20))
    memory.release(late)
    memory.release(late)
    assert.equal(memory.usedBytes, 0)
  })
})
