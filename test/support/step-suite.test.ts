import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { StepKind } from '../../src/core/change.ts'
import { Conflict } from '../../src/core/problem.ts'
import { proofsOf, type StepCase } from './step-suite.ts'
import type { Stoppable } from './stoppable.ts'

interface Shelf {
  readonly things: Map<string, string>
  put(name: string, text: string | undefined): Promise<void>
  get(name: string): Promise<string | undefined>
}

function openShelf(): Shelf {
  const things = new Map([['left', 'old']])
  return {
    things,
    get: async (name) => things.get(name),
    put: async (name, text) => void (text === undefined ? things.delete(name) : things.set(name, text)),
  }
}

type Before = Readonly<Record<string, string | undefined>>
type Kind = StepKind<null, Before, object | null>
type Fault = (kind: Kind, shelf: Shelf) => Partial<Kind>

/** A correct step written by hand, which creates two objects. */
function pairOf({ get, put }: Shelf): Kind {
  const read = async (): Promise<Before> => ({ left: await get('left'), right: await get('right') })
  const refuse = (now: Before) => {
    if (Object.values(now).includes('by hand')) throw Conflict('it is not ours')
  }
  const set = async ({ left, right }: Before) => {
    await put('left', left)
    await put('right', right)
  }
  return {
    name: 'shelf.pair',
    plan: () => ({ title: 'Put up a pair' }),
    observe: async () => {
      const now = await read()
      refuse(now)
      return now
    },
    act: async () => {
      refuse(await read())
      await set({ left: 'new', right: 'new' })
      return null
    },
    undo: async (_args, before) => {
      refuse(await read())
      await set(before)
    },
    check: async (_args, before) => {
      const now = await read()
      if (now['left'] === 'new' && now['right'] === 'new') return 'wanted'
      return now['left'] === before['left'] && now['right'] === before['right'] ? 'before' : 'other'
    },
  }
}

/** The titles of the proofs that a kind fails. */
async function failed(
  t: TestContext,
  change: Fault,
  more: Partial<StepCase<Shelf>> = {},
): Promise<readonly string[]> {
  const open = (shelf: Shelf, door: Stoppable['door']) => {
    const kind = pairOf(door(shelf))
    return { ...kind, ...change(kind, door(shelf)) }
  }
  const byHand = ({ things }: Shelf) => things.set('right', 'by hand')
  const proofs = proofsOf<Shelf>('shelf.pair', {
    machine: openShelf,
    open,
    runArmed: async ({ put }, [, ...pairs]) => {
      for (const [name = '', text] of pairs.map((pair) => pair.split('='))) await put(name, text)
    },
    look: ({ things }) => Object.fromEntries([...things].filter(([name]) => name !== 'label')),
    cases: {
      it: {
        args: null,
        wanted: { left: 'new', right: 'new' },
        handEdit: byHand,
        refusedAfter: byHand,
        ...more,
      },
    },
  })
  const titles: string[] = []
  for (const [title, prove] of proofs) await prove(t).catch(() => titles.push(title.slice('it: '.length)))
  return titles
}

const [bothWays, killed, back, byId, byHand, refused] = [
  'reaches the wanted state and returns to the former one, each twice',
  'is settled after a kill at any call',
  'goes back after a kill at any call of the undo',
  'is undone by the id of its entry, or states why not',
  'leaves what was edited by hand meanwhile',
  'refuses before it acts',
]

const faults: readonly (readonly [string, Fault, readonly string[]])[] = [
  ['nothing', () => ({}), []],
  ['an undo without the panel', () => ({ armed: (_args, { left }) => ['put', `left=${left}`, 'right'] }), []],
  [
    'an undo without the panel that restores one part alone',
    () => ({ armed: (_args, { left }) => ['put', `left=${left}`] }),
    [bothWays!],
  ],
  ['another name', () => ({ name: 'shelf.trio' }), ['has a plan, which changes nothing']],
  ['a plan without a title', () => ({ plan: () => ({ title: '' }) }), ['has a plan, which changes nothing']],
  ['an act that does nothing', () => ({ act: async () => null }), [bothWays!, killed!, byId!, byHand!]],
  ['no undo', () => ({ undo: async () => {} }), [bothWays!, killed!, back!, byId!]],
  ['a reason why there is no undo by id', () => ({ notUndone: 'others use it by now' }), []],
  [
    'an undo that works once',
    (kind, { get, put }) => ({
      undo: async (args, before) => {
        if ((await get('left')) === 'old') await put('right', 'twice')
        else await kind.undo(args, before)
      },
    }),
    [bothWays!, killed!, back!, byHand!],
  ],
  [
    'an act that does more the second time',
    (kind, { get, put }) => ({
      act: async (args, run) => {
        const left = await get('left')
        await kind.act(args, run)
        if (left === 'new') await put('left', 'newer')
        return null
      },
    }),
    [bothWays!],
  ],
  [
    'a check that looks at one part alone',
    (_kind, { get }) => ({ check: async () => ((await get('left')) === 'new' ? 'wanted' : 'before') }),
    [killed!],
  ],
  [
    'an undo that overwrites a hand edit',
    (_kind, { put }) => ({
      undo: async (_args, before) => {
        await put('left', before['left'])
        await put('right', before['right'])
      },
    }),
    [byHand!],
  ],
  [
    'a refusal in act alone',
    (_kind, { get }) => ({
      observe: async () => ({ left: await get('left'), right: await get('right') }),
    }),
    [refused!],
  ],
]

/** The pair with a label that names its owner, and with its size, which is read again. */
const labelled: Fault = (kind, { get, put }) => ({
  act: async (args, run) => {
    await put('label', run.token)
    await kind.act(args, run)
    return { size: 2 }
  },
  undo: async (args, before) => {
    await kind.undo(args, before)
    await put('label', undefined)
  },
  again: async () => ((await get('right')) === 'new' ? { size: 2 } : undefined),
})
const withLabel: Partial<StepCase<Shelf>> = {
  returns: { size: 2 },
  isFoundBy: ({ things }, token) => things.get('label') === token,
}

const faultsOfResults: readonly (readonly [string, Fault, readonly string[], Partial<StepCase<Shelf>>?])[] = [
  ['nothing', () => ({}), []],
  ['a result that is not read again', () => ({ again: async () => undefined }), [bothWays!]],
  ['another result that is read again', () => ({ again: async () => ({ size: 3 }) }), [bothWays!, killed!]],
  ['no case that says what it returns', () => ({}), [bothWays!], { isFoundBy: withLabel.isFoundBy! }],
  [
    'a label that stays',
    (kind, { get, put }) => ({
      undo: async (args, before) => {
        const label = await get('label')
        await kind.undo(args, before)
        await put('label', label)
      },
    }),
    [bothWays!, killed!, back!],
  ],
  [
    'the label of another step',
    (kind) => ({ act: async (args, run) => kind.act(args, { ...run, token: '0:0' }) }),
    [bothWays!, killed!],
  ],
]

describe('the proof of a step', () => {
  for (const [fault, change, expected, more = withLabel] of faultsOfResults)
    it(`of a kind that returns something, with ${fault}, fails where it should`, async (t) => {
      const both: Fault = (kind, shelf) => {
        const whole = { ...kind, ...labelled(kind, shelf) }
        return { ...whole, ...change(whole, shelf) }
      }
      assert.deepEqual(await failed(t, both, more), expected)
    })

  for (const [fault, change, expected] of faults)
    it(`of a kind with ${fault} fails where it should`, async (t) => {
      assert.deepEqual(await failed(t, change), expected)
    })
})
