import Type, { type Static } from 'typebox'
import { change } from '../../../core/change.ts'
import { from } from '../../../core/returned.ts'
import { Text } from '../../../core/schemas.ts'
import { stampOf } from '../backups.ts'
import { InstanceName } from '../catalog/model.ts'
import { loadContainer } from '../containers.ts'
import { type Containers, work } from '../context.ts'
import { drawToken } from '../create.ts'
import { containerLock } from '../locks.ts'
import { UpToDate } from '../problems.ts'
import { pullStep } from '../registries/pull-step.ts'
import { assertImage, catalogImageOf, type Upgrade, upgradeOf } from '../upgrade.ts'
import { labels } from './labels.ts'
import { type StackUpgrade, UpgradedStack } from './model.ts'
import { ServiceUnknown } from './problems.ts'
import { containerName, type FoundStack, labelOf, loadStack } from './stacks.ts'

const Wanted = Type.Object({ key: Text(40), name: Text(255), image: Text(500) })

const StackUpgradeInput = Type.Object({
  instance: InstanceName,
  services: Type.Array(Wanted, { maxItems: 100 }),
  stamp: Text(40),
  token: Text(64),
})

/** Returns the input of the upgrade of a stack: the services that are asked for, or those of which the catalog has another image. */
export async function draftStackUpgrade(
  on: Containers,
  instance: string,
  { services }: StackUpgrade,
  now: Date,
): Promise<Static<typeof StackUpgradeInput>> {
  const stack = await loadStack(on, instance)
  const wanted = services === undefined ? ofCatalog(stack) : asked(stack, services)
  if (wanted.length === 0)
    throw UpToDate(`${instance} runs the images of the catalog: name others in services`)
  return { instance, services: wanted, stamp: stampOf(now), token: drawToken() }
}

function ofCatalog({ containers }: FoundStack): Static<typeof Wanted>[] {
  return containers.flatMap((container) => {
    const image = catalogImageOf(container.Labels)
    if (image === undefined || image === container.Image) return []
    return [{ key: labelOf(container, labels.service), name: containerName(container), image }]
  })
}

function asked(
  { instance, containers }: FoundStack,
  services: NonNullable<StackUpgrade['services']>,
): Static<typeof Wanted>[] {
  const keys = containers.map((each) => labelOf(each, labels.service))
  services.forEach(({ key, image }, index) => {
    if (!keys.includes(key))
      throw ServiceUnknown(`services: ${instance} has no service "${key}", but ${keys.join(', ')}`)
    assertImage(image, `services.${index}.image`)
  })
  // in the order of launch, whatever the order of the request
  return containers.flatMap((container) => {
    const found = services.find(({ key }) => key === labelOf(container, labels.service))
    return found === undefined ? [] : [{ ...found, name: containerName(container) }]
  })
}

/** Backs up the services that are upgraded, and replaces all of them, in order; if one does not work, all former ones run again. */
export const upgradingStack = work({
  kind: 'containers.upgrade-stack',
  lane: 'network',
  input: StackUpgradeInput,
  reply: UpgradedStack,
  timeoutMs: 6 * 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input: { instance, services, stamp, token }, containers: on }) => {
    const upgrades: (Upgrade & Static<typeof Wanted>)[] = []
    for (const service of services) {
      const found = await loadContainer(on, service.name)
      upgrades.push({ ...service, ...(await upgradeOf(on, found, { ...service, stamp, token })) })
    }
    const images = [...new Set(services.map(({ image }) => image))]
    const pulls = await Promise.all(images.map((image) => pullStep(on, image, { isRefreshed: true })))
    return change({
      summary: `Upgrade the stack ${instance}`,
      locks: services.map(({ name }) => containerLock(name)),
      steps: [
        ...pulls,
        ...upgrades.toReversed().flatMap(({ backup, replacement }) => [...backup, ...replacement.stop]),
        ...upgrades.flatMap(({ replacement, start }) => [...replacement.make, ...start]),
        ...upgrades.flatMap(({ replacement }) => replacement.last),
      ],
      reply: {
        instance,
        services: upgrades.map(({ key, name, replacement, reply }) => ({
          key,
          name,
          id: from(replacement.create, 'id'),
          ...reply,
        })),
      },
    })
  },
})
