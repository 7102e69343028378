import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { change, step } from '../../core/change.ts'
import { from } from '../../core/returned.ts'
import { work } from './context.ts'
import { assertConfirmed, readDraft } from './draft.ts'
import { containerLock } from './locks.ts'
import { CreateInput } from './inputs.ts'
import { type ContainerDraft, Created } from './model.ts'
import { openedPorts } from './ports.ts'
import { pullStep } from './registries/pull-step.ts'

/** Returns the input of a creation: the name, where the caller gives none, and the token are drawn once for each request. */
export function draftCreation(draft: ContainerDraft): Static<typeof CreateInput> {
  const stem = draft.image
    .replace(/[:@].*$/, '')
    .replace(/^.*\//, '')
    .toLowerCase()
  const name = draft.name ?? `${stem.slice(0, 100)}-${randomBytes(3).toString('hex')}`
  return { draft, name, token: drawToken() }
}

/** Draws what names a change at the engine. */
export const drawToken = (): string => randomBytes(12).toString('hex')

/** Pulls the image where it is missing, creates a container and starts it. */
export const creating = work({
  kind: 'containers.create',
  lane: 'network',
  input: CreateInput,
  reply: Created,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { draft, name, token }, containers: on }) => {
    const { docker } = on
    const spec = readDraft(draft, name)
    assertConfirmed(spec, draft.confirm)
    const create = step(docker.steps.createContainer, { spec, token })
    return change({
      summary: `Create the container ${name} of ${draft.image}`,
      locks: [containerLock(name)],
      steps: [
        await pullStep(on, draft.image),
        create,
        step(docker.steps.switchContainer, { id: name, verb: 'start' }),
      ],
      reply: { id: from(create, 'id'), opened_ports: openedPorts(spec.ports) },
    })
  },
})
