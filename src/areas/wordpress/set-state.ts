import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { websiteLocks } from '../websites/index.ts'
import { itemNamed } from './alter.ts'
import type { WordPresses } from './context.ts'
import type { Installed } from './installations.ts'
import type { ItemState } from './model.ts'
import { ItemInUse } from './problems.ts'

/** Activates or deactivates a plugin, or replaces the active theme. */
export async function setItemState(
  on: WordPresses,
  { site, place }: Installed,
  { kind, name, active }: ItemState,
  signal: AbortSignal,
): Promise<Change<{ success: true }>> {
  itemNamed(await on.ask(place, 'read', {}, { signal }), { kind, name }, 'name')
  if (kind === 'theme' && !active)
    throw ItemInUse('active: a theme is replaced by another: activate that one')
  const checksSite =
    site.is_suspended === 0 &&
    !site.settings.maintenance &&
    (await on.faultOf({ name: site.domain, isTls: place.isTls }, signal)) === undefined
  const state = kind === 'theme' ? name : active ? 'active' : 'inactive'
  return change({
    summary: `${active ? 'Activate' : 'Deactivate'} ${name} of ${site.domain}`,
    locks: websiteLocks([site.domain]),
    steps: [step(on.steps.setState, { ...place, kind, name, state, checksSite })],
    reply: success,
  })
}
