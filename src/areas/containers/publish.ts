import type { Static } from 'typebox'
import { change, type Step, step } from '../../core/change.ts'
import type { Caller } from '../../core/caller.ts'
import { Forbidden } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import type { ContainerSpec, PublishedPort, shapes } from '../../tools/docker/index.ts'
import { certifiedSite } from '../certificates/index.ts'
import { proxySite } from '../websites/index.ts'
import { specOf } from './config.ts'
import { loadContainer, nameOf } from './containers.ts'
import { type Containers, work } from './context.ts'
import { drawToken } from './create.ts'
import { PublishInput } from './inputs.ts'
import { containerLock } from './locks.ts'
import { Published, type PublishDraft } from './replace/model.ts'
import { isLoopback } from './ports.ts'
import { ContainerStopped, PortUnpublished } from './problems.ts'
import { replacementOf, stepsOf, successorOf } from './replace.ts'

/** Returns the input of the publication of a container. */
export async function draftPublish(
  on: Containers,
  id: string,
  draft: PublishDraft,
  websiteId: number,
): Promise<Static<typeof PublishInput>> {
  const found = await loadContainer(on, id)
  return { id: found.Id, name: nameOf(found), website_id: websiteId, ...draft, token: drawToken() }
}

/** Creates a proxy website with a certificate in front of a port of a container, which is reached from this host alone afterwards. */
export const publishing = work({
  kind: 'containers.publish',
  lane: 'network',
  input: PublishInput,
  reply: Published,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input, caller, now, signal, containers: on }) => {
    if (caller === null) throw Forbidden()
    const { name, domain } = input
    const found = await loadContainer(on, input.id)
    if (!found.State.Running) throw ContainerStopped(`${name} does not run: start it first`)
    const bound = await boundPort(on, found, input)
    const upstream = `http://${addressOf(bound.port)}`
    const site = await siteOf(on, input, { caller, now, signal, upstream })
    return change({
      summary: `Publish the container ${name} as ${domain}`,
      locks: [containerLock(name), ...site.locks],
      steps: [...bound.steps, ...site.steps],
      rows: site.rows,
      reply: {
        website_id: input.website_id,
        domain,
        upstream,
        id: bound.id,
        certificate: site.issued,
      },
    })
  },
})

interface Bound {
  readonly port: PublishedPort
  /** Of the container that publishes it afterwards. */
  readonly id: string
  readonly steps: readonly Step[]
}

/** Returns the port of loopback that leads to the container, with the steps that put a container in its place which publishes it there. */
async function boundPort(
  on: Containers,
  found: shapes.Inspected,
  { port, name, token }: Static<typeof PublishInput>,
): Promise<Bound> {
  const former = await specOf(on, found)
  const ports = publishedPorts(former, port, name)
  const own = ports.find(({ ip }) => isLoopback(ip))
  if (own !== undefined && ports.every(({ ip }) => isLoopback(ip)))
    return { port: own, id: found.Id, steps: [] }
  const bound = own ?? { ...ports[0]!, ip: '127.0.0.1' }
  const rest = former.ports.filter((each) => each === ports[0] || !ports.includes(each))
  const bindings = rest.map((each) => (each === ports[0] ? bound : each))
  const spec = successorOf({ ...former, ports: bindings }, found, former)
  const replacement = await replacementOf(on, found, spec, token)
  return { port: bound, id: from(replacement.create, 'id'), steps: stepsOf(replacement) }
}

/** The publications of the port that is meant, each on another address or port of the host. */
function publishedPorts(
  { ports }: ContainerSpec,
  wanted: number | undefined,
  name: string,
): readonly PublishedPort[] {
  const tcp = ports.filter(({ protocol }) => protocol === 'tcp')
  const inside = [...new Set(tcp.map(({ container }) => container))]
  const listed = inside.length === 0 ? 'it publishes none' : `it publishes ${inside.join(', ')}`
  if (wanted === undefined && inside.length !== 1)
    throw PortUnpublished(`port: is required, as ${name} does not publish exactly one TCP port: ${listed}`)
  const meant = tcp.filter(({ container }) => container === (wanted ?? inside[0]))
  if (meant.length === 0)
    throw PortUnpublished(`port: ${name} does not publish the TCP port ${wanted}: ${listed}`)
  if (meant.some(({ host }) => host === 0))
    throw PortUnpublished(
      `port: the engine chooses the port of the host for ${meant[0]?.container} at each start: edit ${name} to publish it on a port of your choice`,
    )
  return meant
}

const addressOf = ({ ip, host }: PublishedPort) => (ip.includes(':') ? `[${ip}]:${host}` : `${ip}:${host}`)

interface Publishing {
  readonly caller: Caller
  readonly now: Date
  readonly signal: AbortSignal
  readonly upstream: string
}

async function siteOf(
  on: Containers,
  { domain, username, website_id: id, certificate }: Static<typeof PublishInput>,
  { upstream, ...asked }: Publishing,
) {
  const draft = { domain, upstream, ...(username !== undefined && { username }) }
  const request = { ...asked, id: () => id, query: { overwrite: false } }
  const plain = await proxySite(on.websites, draft, request)
  const certified = await certifiedSite(on.certificates, plain.site, certificate, asked.now)
  const { locks, steps, rows } = await plain.served(certified.site, certified.first)
  return {
    issued: certified.issued,
    locks: [...locks, ...certified.locks],
    // the firewall has no website to open the ports for until the change is settled, and the authority asks before
    steps: [
      ...(certificate === 'acme' ? [step(on.openWebPorts, { website_id: id })] : []),
      ...steps,
      ...certified.last,
    ],
    rows: [...rows, ...certified.rows],
  }
}
