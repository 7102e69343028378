import Type, { type Static } from 'typebox'
import { Optional, Text } from '../../../core/schemas.ts'
import { stackOf } from '../catalog/catalog.ts'
import { drawFor, drawnParts, launchChange, openedBy, secretsOf } from '../catalog/launch.ts'
import { planStack } from '../catalog/launch-plan.ts'
import { type CatalogPart, type CatalogStack, LaunchedStack, type StackLaunch } from '../catalog/model.ts'
import { work } from '../context.ts'
import { readPorts } from '../ports.ts'
import { ServiceUnknown } from './problems.ts'

const Chosen = Type.Object({ key: Text(40), ports: Optional(Type.Array(Text(100), { maxItems: 20 })) })
type Chosen = Static<typeof Chosen>

const StackLaunchInput = Type.Object({
  stack_id: Text(40),
  services: Type.Array(Chosen, { maxItems: 10 }),
  ...drawnParts,
})

/** Returns the input of the launch of a stack: its token and its secrets are drawn once for each request. */
export function draftStackLaunch({ stack_id, name, services }: StackLaunch): Static<typeof StackLaunchInput> {
  const stack = stackOf(stack_id)
  const chosen: readonly Chosen[] =
    services ?? stack.services.filter((service) => !service.default_off).map(({ key }) => ({ key }))
  const wanted = servicesOf(stack, chosen)
  for (const { ports } of chosen) readPorts(ports)
  return {
    stack_id,
    name: name ?? stack_id,
    services: [...chosen],
    ...drawFor(wanted.flatMap(({ env }) => env)),
  }
}

/** The chosen services in the order of the catalog; those that are on by default and not chosen would be missed by the others. */
function servicesOf({ name, services }: CatalogStack, chosen: readonly Chosen[]): readonly CatalogPart[] {
  const keys = new Set(chosen.map(({ key }) => key))
  const unknown = chosen.find(({ key }) => services.every((service) => service.key !== key))
  if (unknown)
    throw ServiceUnknown(
      `services: ${name} has no service "${unknown.key}", but ${services.map(({ key }) => key).join(', ')}`,
    )
  const missing = services.find(({ key, default_off }) => !default_off && !keys.has(key))
  if (missing) throw ServiceUnknown(`services: ${name} needs the service ${missing.key}: add it`)
  return services.filter(({ key }) => keys.has(key))
}

/** Launches a stack of the catalog on a network of its own, in order; a part that fails removes the whole. */
export const launchingStack = work({
  kind: 'containers.launch-stack',
  lane: 'network',
  input: StackLaunchInput,
  reply: LaunchedStack,
  timeoutMs: 3_600_000,
  attempts: 1,
  resumes: false,
  decide: ({ input: { stack_id, name, services: chosen, token, secrets }, containers }) => {
    const stack = stackOf(stack_id)
    const ports = Object.fromEntries(chosen.map((service) => [service.key, service.ports]))
    const request = { name, secrets: secretsOf(secrets), ports }
    const plan = planStack(stack, servicesOf(stack, chosen), request)
    return launchChange(containers, {
      summary: `Launch ${stack.name} as ${name}`,
      plan,
      token,
      reply: (launched) => ({
        instance: name,
        services: [...launched],
        opened_ports: openedBy(plan),
        credentials: plan.containers.flatMap(({ credentials }) => credentials),
      }),
    })
  },
})
