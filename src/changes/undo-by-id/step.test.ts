import assert from 'node:assert/strict'
import { it } from 'node:test'
import { proveStep } from '../../../test/support/step-suite.ts'
import { stateStep } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import { undoStep } from './step.ts'

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

const label = ({ get, put }: Shop) =>
  stateStep({
    name: 'shop.label',
    plan: ({ name }: { readonly name: string; readonly text: string }) => ({ title: `Label ${name}` }),
    read: ({ name }) => get(name),
    wanted: ({ text }) => text,
    changed: ({ name }, was, wanted) => ({
      files: [{ path: `/${name}`, diff: unifiedDiff(`/${name}`, was, wanted) }],
      objects: [{ name, before: was ?? null, after: wanted ?? null }],
    }),
    write: ({ name }, text) => put(name, text),
  })

const labelled = { kind: 'shop.label', args: { name: 'box', text: 'full' }, before: { was: 'empty' } }

proveStep<Shop>('changes.undo', {
  machine: openShop,
  open: (shop, door) => {
    const kind = label(door(shop))
    return undoStep(() => new Map([[kind.name, kind]]))
  },
  look: ({ shelf }) => Object.fromEntries(shelf),
  cases: {
    'of a step that acted': {
      args: { ...labelled, isRepeated: false },
      arrange: ({ shelf }) => shelf.set('box', 'full'),
      wanted: { box: 'empty' },
      handEdit: ({ shelf }) => shelf.set('box', 'in another hand'),
      refusedAfter: ({ shelf }) => shelf.set('box', 'in another hand'),
    },
    'of a step that was undone, which acts again': {
      args: { ...labelled, isRepeated: true },
      arrange: ({ shelf }) => shelf.set('box', 'empty'),
      wanted: { box: 'full' },
      handEdit: ({ shelf }) => shelf.set('box', 'in another hand'),
      refusedAfter: ({ shelf }) => shelf.set('box', 'in another hand'),
    },
  },
})

it('shows the reverse of what the step changed, and the same where it acts again', async () => {
  const kind = label(openShop())
  const undo = undoStep(() => new Map([[kind.name, kind]]))
  const planOf = (isRepeated: boolean) => undo.preview?.({ ...labelled, isRepeated }, null)
  const shown = (before: string, after: string) => ({
    files: [{ path: '/box', diff: unifiedDiff('/box', before, after) }],
    objects: [{ name: 'box', before, after }],
  })
  assert.deepEqual(await planOf(false), shown('full', 'empty'))
  assert.deepEqual(await planOf(true), shown('empty', 'full'))
})
