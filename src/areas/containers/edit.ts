import type { Static } from 'typebox'
import { change } from '../../core/change.ts'
import { from } from '../../core/returned.ts'
import { specOf } from './config.ts'
import { loadContainer, nameOf } from './containers.ts'
import { type Containers, work } from './context.ts'
import { drawToken } from './create.ts'
import { assertConfirmed, readDraft } from './draft.ts'
import { containerLock } from './locks.ts'
import { EditInput } from './inputs.ts'
import { type ContainerDraft, Created } from './model.ts'
import { openedPorts } from './ports.ts'
import { pullStep } from './registries/pull-step.ts'
import { replacementOf, stepsOf, successorOf } from './replace.ts'

/** Returns the input of an edit. */
export async function draftEdit(
  on: Containers,
  id: string,
  draft: ContainerDraft,
): Promise<Static<typeof EditInput>> {
  const found = await loadContainer(on, id)
  const former = nameOf(found)
  return { id: found.Id, former, name: draft.name ?? former, draft, token: drawToken() }
}

/** Puts a new container in the place of one, with other settings. */
export const editing = work({
  kind: 'containers.edit',
  lane: 'network',
  input: EditInput,
  reply: Created,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { id, former, name, draft, token }, containers: on }) => {
    const found = await loadContainer(on, id)
    const wanted = readDraft(draft, name, found.Config.Env ?? [])
    const spec = successorOf(wanted, found, await specOf(on, found))
    assertConfirmed(spec, draft.confirm)
    const replacement = await replacementOf(on, found, spec, token)
    return change({
      summary: `Edit the container ${former}`,
      locks: [...new Set([containerLock(former), containerLock(name)])],
      steps: [await pullStep(on, draft.image), ...stepsOf(replacement)],
      reply: { id: from(replacement.create, 'id'), opened_ports: openedPorts(spec.ports) },
    })
  },
})
