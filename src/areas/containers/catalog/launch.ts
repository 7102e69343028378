import Type, { type Static } from 'typebox'
import { change, type Change, type Enqueued, step, type Step } from '../../../core/change.ts'
import { Secret, Text } from '../../../core/schemas.ts'
import { NameTaken } from '../../../tools/docker/index.ts'
import type { Containers } from '../context.ts'
import { drawToken } from '../create.ts'
import { containerLock } from '../locks.ts'
import { openedPorts } from '../ports.ts'
import { pullStep } from '../registries/pull-step.ts'
import { generateSecrets } from './generate.ts'
import { imagesOf, type LaunchPlan, type PlannedContainer, volumesOf } from './launch-plan.ts'
import { InstanceName } from './model.ts'
import { type Secrets, secretsIn } from './templates.ts'

/** What every launch draws once for its request. */
export const drawnParts = {
  name: InstanceName,
  /** Names the launch at the engine. */
  token: Text(64),
  secrets: Type.Array(Type.Object({ name: Text(60), value: Secret() }), { maxItems: 50 }),
}

interface Drawn {
  readonly token: string
  readonly secrets: { readonly name: string; readonly value: string }[]
}

/** Draws the token and the secrets of a launch. */
export function drawFor(env: readonly string[]): Drawn {
  const secrets = Object.entries(generateSecrets(secretsIn(env)))
  return { token: drawToken(), secrets: secrets.map(([name, value]) => ({ name, value })) }
}

/** Returns the drawn secrets by their names. */
export const secretsOf = (drawn: Static<(typeof drawnParts)['secrets']>): Secrets =>
  Object.fromEntries(drawn.map(({ name, value }) => [name, value]))

/** A container that was launched, as the replies show it. */
export interface Launched {
  readonly key: string
  readonly id: string
  readonly name: string
  readonly ports: string[]
}

interface Launch<Reply> {
  readonly summary: string
  readonly plan: LaunchPlan
  readonly token: string
  readonly reply: (launched: readonly Launched[]) => Reply
}

/** Decides on a launch: the images, the network, the volumes, and then each container, which must be healthy before the next one starts. A failure removes all of it. */
export async function launchChange<Reply>(on: Containers, launch: Launch<Reply>): Promise<Change<Reply>> {
  const { docker } = on
  const { plan, token, summary, reply } = launch
  await assertFree(on, plan)
  const { steps } = docker
  const created = plan.containers.map(({ spec }) => step(steps.createContainer, { spec, token }))
  const pulls = await Promise.all(imagesOf(plan).map((image) => pullStep(on, image)))
  const all: readonly Step[] = [
    ...pulls,
    ...(plan.network === undefined
      ? []
      : [step(steps.createNetwork, { name: plan.network, labels: plan.labels, token })]),
    ...volumesOf(plan).map((name) => step(steps.keepVolume, { name, labels: plan.labels, token })),
    ...plan.containers.flatMap(({ spec: { name } }, index) => [
      created[index]!,
      step(steps.switchContainer, { id: name, verb: 'start' }),
      step(steps.awaitHealth, { id: name, name }),
    ]),
  ]
  const idOf = ({ results }: Enqueued, index: number): string =>
    (results[all.indexOf(created[index]!)] as { readonly id: string }).id
  return change({
    summary,
    locks: plan.containers.map(({ spec }) => containerLock(spec.name)),
    steps: all,
    details: openingsOf(plan),
    reply: (done) =>
      reply(plan.containers.map((container, index) => launchedOf(container, idOf(done, index)))),
  })
}

const launchedOf = ({ key, spec, ports }: PlannedContainer, id: string): Launched => ({
  key,
  id,
  name: spec.name,
  ports: [...ports],
})

/** The ports that others than this host reach once the plan is carried out. */
export const openedBy = ({ containers }: LaunchPlan): string[] =>
  openedPorts(containers.flatMap(({ spec }) => spec.ports))

function openingsOf(plan: LaunchPlan): readonly string[] {
  const opened = openedBy(plan)
  return opened.length === 0
    ? ['No port is opened: only this host reaches it']
    : opened.map((port) => `Opens port ${port} to everyone who reaches this host`)
}

/** A volume of an earlier launch has the secrets of that launch: it is not reused where new ones were drawn. */
async function assertFree({ docker }: Containers, plan: LaunchPlan): Promise<void> {
  const names = new Set((await docker.listContainers()).flatMap(({ Names }) => Names ?? []))
  const taken = plan.containers.find(({ spec }) => names.has(`/${spec.name}`))
  if (taken) throw NameTaken(`name: a container ${taken.spec.name} exists already; choose another name`)
  if (plan.containers.every(({ credentials }) => credentials.length === 0)) return
  const wanted = new Set(volumesOf(plan))
  const kept = (await docker.listVolumes()).find((name) => wanted.has(name))
  if (kept !== undefined)
    throw NameTaken(
      `name: the volume ${kept} is left from an earlier launch, with other passwords; choose another name, or remove the volume`,
    )
}
