import type { Static } from 'typebox'
import { change, type Step, step } from '../../core/change.ts'
import { from } from '../../core/returned.ts'
import { parseReference, type shapes } from '../../tools/docker/index.ts'
import { archivesOf, backupOf, stampOf } from './backups.ts'
import { apps, stacks } from './catalog/entries.ts'
import { specOf } from './config.ts'
import { loadContainer, nameOf } from './containers.ts'
import { type Containers, work } from './context.ts'
import { drawToken } from './create.ts'
import { UpgradeInput } from './inputs.ts'
import { containerLock } from './locks.ts'
import { Upgraded, type UpgradeDraft } from './replace/model.ts'
import { openedPorts } from './ports.ts'
import { DraftInvalid, UpToDate } from './problems.ts'
import { pullStep } from './registries/pull-step.ts'
import { type Replacement, replacementOf, successorOf } from './replace.ts'
import { labels } from './stacks/labels.ts'

/** Returns the input of an upgrade: to the image that is asked for, or to the one of the catalog. */
export async function draftUpgrade(
  on: Containers,
  id: string,
  { image }: UpgradeDraft,
  now: Date,
): Promise<Static<typeof UpgradeInput>> {
  const found = await loadContainer(on, id)
  const [name, current] = [nameOf(found), found.Config.Image]
  const wanted = image ?? catalogImageOf(found.Config.Labels)
  if (wanted === undefined)
    throw DraftInvalid(`image: is required, as ${name} was not launched from the catalog: name the new image`)
  if (image === undefined && wanted === current)
    throw UpToDate(`${name} runs ${current}, which is the image of the catalog: name another in image`)
  assertImage(wanted, 'image')
  return { id: found.Id, name, image: wanted, stamp: stampOf(now), token: drawToken() }
}

/** Fails unless a text is the name of an image. */
export function assertImage(image: string, field: string): void {
  if (parseReference(image) === undefined)
    throw DraftInvalid(`${field}: ${image} is not the name of an image such as nginx:1.27`)
}

/** Returns the image that the catalog has today for what a container was launched from. */
export function catalogImageOf(of: shapes.ListedContainer['Labels']): string | undefined {
  const [entry, service] = [of?.[labels.entry], of?.[labels.service]]
  if (service === undefined) return apps.find(({ id }) => id === entry)?.image
  return stacks.find(({ id }) => id === entry)?.services.find(({ key }) => key === service)?.image
}

/** Backs up a container and puts one of another image in its place; if that does not work, the former runs again on its former content. */
export const upgrading = work({
  kind: 'containers.upgrade',
  lane: 'network',
  input: UpgradeInput,
  reply: Upgraded,
  timeoutMs: 6 * 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input, containers: on }) => {
    const { id, name, image, stamp, token } = input
    const upgrade = await upgradeOf(on, await loadContainer(on, id), { image, stamp, token })
    const { replacement, backup, start, reply } = upgrade
    return change({
      summary: `Upgrade the container ${name} to ${image}`,
      locks: [containerLock(name)],
      steps: [
        await pullStep(on, image, { isRefreshed: true }),
        ...backup,
        ...replacement.stop,
        ...replacement.make,
        ...start,
        ...replacement.last,
      ],
      reply: { id: from(replacement.create, 'id'), ...reply },
    })
  },
})

interface Wanted {
  readonly image: string
  readonly stamp: string
  readonly token: string
}

/** The steps of the upgrade of one container, and what is told of it. */
export interface Upgrade {
  readonly replacement: Replacement
  readonly backup: readonly Step[]
  /** The start of the new container; its undo returns the content of the volumes. */
  readonly start: readonly Step[]
  readonly reply: Omit<Static<typeof Upgraded>, 'id'>
}

/** Returns the steps that upgrade a container, without the pull. */
export async function upgradeOf(
  on: Containers,
  found: shapes.Inspected,
  { image, stamp, token }: Wanted,
): Promise<Upgrade> {
  const former = await specOf(on, found)
  const spec = successorOf({ ...former, image }, found, former)
  const replacement = await replacementOf(on, found, spec, token)
  const { steps, manifest, reply } = await backupOf(on, found, stamp)
  const writable = archivesOf(manifest).filter(({ isReadOnly }) => !isReadOnly)
  const volumes = writable.map(({ target, archive }) => ({ target, archive }))
  const { returnVolumes } = on.docker.steps
  const kept = { id: found.Id, name: nameOf(found), folder: reply.folder, volumes }
  return {
    replacement,
    backup: steps,
    start: [...(volumes.length === 0 ? [] : [step(returnVolumes, kept)]), ...replacement.start],
    reply: {
      image,
      former_image: found.Config.Image,
      opened_ports: openedPorts(spec.ports),
      backup: reply,
    },
  }
}
