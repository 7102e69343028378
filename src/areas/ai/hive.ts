import type { Change, RowWrite } from '../../core/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { Variables } from '../../tools/openclaw/index.ts'
import { drawToken, keyInsertion, keyRemoval, newKey } from '../mcp/index.ts'
import type { Assistant } from './context.ts'
import { editAssistant, loadAssistant, loadConfig } from './edit.ts'
import type { HiveDraft } from './model.ts'
import { withPanel } from './owned.ts'
import { ownerOf } from './owner.ts'
import { panelKeyVariable } from './providers.ts'
import { assistant } from './store.ts'

const keyName = 'Assistant'

interface Connecting {
  readonly ownerId: number
  readonly token: string
  readonly now: Date
}

/** What the assistant may do in an hour; each change waits for a person besides. */
const budget = { calls: 1000, changes: 50 }

/** A key of the panel for the assistant, in the name of a user, and the write that stores it. */
export function hiveKey(
  { store }: Assistant,
  { scopes, read_only }: Pick<HiveDraft, 'scopes' | 'read_only'>,
  { ownerId, token, now }: Connecting,
): { readonly id: number; readonly row: RowWrite } {
  const draft = { name: keyName, scopes, read_only, approve: true, budget, expires_in_days: 0 }
  const key = newKey({ id: ownerId }, draft, { token, now, id: (table) => store.nextId(table) })
  return { id: key.id, row: keyInsertion(key) }
}

export const withPanelKey = (variables: Variables, token: string): Variables => ({
  ...variables,
  [panelKeyVariable]: token,
})

/** Connects the assistant to the panel again, with a new key; the former one is deleted. */
export async function reconfigureHive(
  on: Assistant,
  draft: HiveDraft,
  { caller, now }: { readonly caller: Caller; readonly now: Date },
): Promise<Change<{ message: string }>> {
  const row = await loadAssistant(on)
  const token = drawToken()
  const ownerId = await ownerOf(on, caller, draft.owner)
  const key = hiveKey(on, draft, { ownerId, token, now })
  const former = row.mcp_key_id
  return editAssistant(
    on,
    {
      summary: 'Give the assistant a new key of the panel',
      config: withPanel(await loadConfig(on), on),
      environment: withPanelKey(await on.tool.readEnvironment(), token),
      rows: [
        key.row,
        ...(former === null ? [] : [keyRemoval(former)]),
        assistant.update(row, { mcp_key_id: key.id }),
      ],
      reply: {
        message: `The assistant has a new key of the panel${draft.read_only ? ', which only reads' : ''}`,
      },
    },
    now,
  )
}
