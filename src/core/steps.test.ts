import assert from 'node:assert/strict'
import { stepRun } from '../../test/support/step-run.ts'
import { describe, it } from 'node:test'
import { proveStep } from '../../test/support/step-suite.ts'
import { Conflict } from './problem.ts'
import { finalStep, isMixture, isSame, stateStep } from './steps.ts'

interface Shop {
  readonly shelf: Map<string, string>
  put(name: string, text: string | undefined): Promise<void>
  get(name: string): Promise<string | undefined>
}

function openShop(): Shop {
  const shelf = new Map<string, string>()
  return {
    shelf,
    get: async (name) => shelf.get(name),
    put: async (name, text) => void (text === undefined ? shelf.delete(name) : shelf.set(name, text)),
  }
}
const look = ({ shelf }: Shop) => Object.fromEntries(shelf)

interface LabelArgs {
  readonly name: string
  readonly text: string | null
}

const label = ({ get, put }: Shop) =>
  stateStep({
    name: 'shop.label',
    plan: ({ name }: LabelArgs) => ({ title: `Label ${name}` }),
    read: ({ name }) => get(name),
    wanted: ({ text }) => text ?? undefined,
    write: ({ name }, text) => put(name, text),
    refuse: (_args, now) => {
      if (now?.startsWith('by hand')) throw Conflict('name: it was labelled by hand')
    },
    result: async ({ name }) => ({ text: await get(name) }),
  })

proveStep<Shop>('shop.label', {
  machine: openShop,
  open: (shop, door) => label(door(shop)),
  look,
  cases: {
    'of a thing without one': {
      args: { name: 'box', text: 'full' },
      wanted: { box: 'full' },
      handEdit: ({ shelf }) => shelf.set('box', 'in another hand'),
      refusedAfter: ({ shelf }) => shelf.set('box', 'by hand'),
    },
    'of a thing with another': {
      args: { name: 'box', text: 'full' },
      arrange: ({ shelf }) => shelf.set('box', 'empty'),
      wanted: { box: 'full' },
      handEdit: ({ shelf }) => shelf.set('box', 'by hand, in full'),
    },
    removed: {
      args: { name: 'box', text: null },
      arrange: ({ shelf }) => shelf.set('box', 'empty'),
      wanted: {},
    },
    'that it has already': {
      args: { name: 'box', text: 'full' },
      arrange: ({ shelf }) => shelf.set('box', 'full'),
      wanted: { box: 'full' },
    },
  },
})

const pair = ({ get, put }: Shop) =>
  stateStep({
    name: 'shop.pair',
    plan: () => ({ title: 'Put up a pair' }),
    read: async (_args: null): Promise<Partial<Record<'left' | 'right', string>>> => ({
      left: await get('left'),
      right: await get('right'),
    }),
    wanted: () => ({ left: 'new', right: 'new' }),
    write: async (_args, state) => {
      await put('left', state?.left)
      await put('right', state?.right)
    },
  })

proveStep<Shop>('shop.pair', {
  machine: openShop,
  open: (shop, door) => pair(door(shop)),
  look,
  cases: {
    'whose parts are written one after the other': {
      args: null,
      arrange: ({ shelf }) => shelf.set('left', 'old'),
      wanted: { left: 'new', right: 'new' },
      handEdit: ({ shelf }) => shelf.set('right', 'by hand'),
    },
  },
})

const smash = ({ get, put }: Shop) =>
  finalStep({
    name: 'shop.smash',
    plan: ({ name }: { readonly name: string }) => ({ title: `Smash ${name}` }),
    why: 'glass does not mend',
    act: async ({ name }) => {
      await put(name, undefined)
      return null
    },
    isDone: async ({ name }) => (await get(name)) === undefined,
  })

proveStep<Shop>('shop.smash', {
  machine: openShop,
  open: (shop, door) => smash(door(shop)),
  look,
  withoutHandEdit: 'final',
  cases: {
    'what is there': {
      args: { name: 'vase' },
      arrange: ({ shelf }) => shelf.set('vase', 'blue'),
      wanted: {},
    },
  },
})

describe('a step that sets a state', () => {
  const begin = async (text: string | null) => {
    const shop = openShop()
    const kind = label(shop)
    const args = { name: 'box', text }
    const before = await kind.observe(args)
    const act = () => kind.act(args, stepRun(before))
    return { shop, kind, args, before, act }
  }

  it('returns what is read from the host', async () => {
    const { act } = await begin('full')
    assert.deepEqual(await act(), { text: 'full' })
  })

  it('is in neither state after a change by another user, and does not undo that', async () => {
    const { shop, kind, args, before, act } = await begin('full')
    await act()
    shop.shelf.set('box', 'other')
    assert.equal(await kind.check(args, before), 'other')
    await assert.rejects(kind.undo(args, before), /changed by another user/)
    assert.equal(shop.shelf.get('box'), 'other')
  })

  it('writes a state that is not in effect again', async () => {
    const writes: (number | undefined)[] = []
    const kind = stateStep({
      name: 'shop.light',
      plan: () => ({ title: 'Light' }),
      read: async () => 1,
      wanted: () => 1,
      write: async (_args: null, state) => writes.push(state),
      isInEffect: async () => writes.length > 0,
    })
    const before = await kind.observe(null)
    assert.equal(await kind.check(null, before), 'other')
    await kind.act(null, stepRun(before))
    assert.deepEqual([writes, await kind.check(null, before)], [[1], 'wanted'])
  })
})

describe('states', () => {
  it('are compared as they are stored', () => {
    assert.ok(isSame({ a: undefined, b: [1, { c: null }] }, { b: [1, {}] }))
    assert.ok(isSame(undefined, null))
    assert.ok(
      !isSame({ a: 1 }, { a: 1, b: 2 }) && !isSame([], {}) && !isSame(0, null) && !isSame('', undefined),
    )
  })

  it('are a mixture if each part is as in one of them', () => {
    assert.ok(isMixture({ a: 1, b: 4 }, { a: 1, b: 2 }, { a: 3, b: 4 }))
    assert.ok(isMixture({ a: 3 }, undefined, { a: 3, b: 4 }))
    assert.ok(!isMixture({ a: 1, b: 5 }, { a: 1, b: 2 }, { a: 3, b: 4 }))
    assert.ok(!isMixture('x', 'y', 'z') && !isMixture({ a: 1 }, 'y', 'z'))
  })
})

it('a step that starts from the observed state reads it again only where the observation is older', async () => {
  let reads = 0
  const kind = stateStep({
    name: 'shop.open',
    plan: () => ({ title: 'Open the shop' }),
    read: async (): Promise<true | undefined> => void reads++,
    wanted: (): true => true,
    startsFrom: 'observed',
    write: async () => {},
  })
  const before = await kind.observe(null)
  await kind.act(null, stepRun(before, undefined, { isJustObserved: true }))
  assert.equal(reads, 1)
  await kind.act(null, stepRun(before, undefined))
  assert.equal(reads, 2)
  await kind.undo(null, before)
  assert.equal(reads, 3)
})
