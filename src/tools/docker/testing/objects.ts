import { registryOf } from '../reference.ts'
import { listed } from './containers.ts'
import { type Asked, type EngineState, imageIdOf, type Labels, ok, refused, type Reply } from './parts.ts'

/** Answers the requests about images; the name may end with `/json`. */
export function imageReply({ images, registry, ...engine }: EngineState, name: string, asked: Asked): Reply {
  const { method, query } = asked
  if (name === 'json')
    return ok([...images].map(([tag, Labels]) => ({ ...imageOf(tag), Created: 1_795_837_611, Labels })))
  if (name === 'create') {
    const image = `${query.get('fromImage')}:${query.get('tag')}`
    if (!isAdmitted(engine, image, asked)) return refused(500, 'Head: no basic auth credentials')
    if (!registry.has(image)) return refused(404, `manifest for ${image} not found: manifest unknown`)
    images.set(image, {})
    return ok({ status: 'Downloading', id: 'layer', progressDetail: { current: 1, total: 2 } })
  }
  const wanted = name.replace(/\/json$/, '')
  const image = [...images.keys()].find((tag) => tag === wanted || imageIdOf(tag) === wanted)
  if (image === undefined) return refused(404, `No such image: ${wanted}`)
  const isUsed = [...engine.containers.values()].some((container) => container.image === image)
  if (method === 'DELETE' && isUsed) return refused(409, `conflict: a container uses ${image}`)
  const Config = { Env: [], Cmd: [], Labels: images.get(image) }
  if (method === 'DELETE') images.delete(image)
  return ok({ ...imageOf(image), Config })
}

/** True if the registry of an image asks for no credentials, or for those that the request has. */
function isAdmitted(
  { accounts }: Pick<EngineState, 'accounts'>,
  image: string,
  { headers = {} }: Asked,
): boolean {
  const account = accounts.get(registryOf({ repository: image }))
  if (account === undefined) return true
  const sent = Buffer.from(headers['X-Registry-Auth'] ?? '', 'base64url').toString()
  if (sent === '') return false
  const { username, password } = JSON.parse(sent) as { username?: string; password?: string }
  return username === account.username && password === account.password
}

const imageOf = (tag: string) => ({ Id: imageIdOf(tag), RepoTags: [tag], Size: 1000 })

/** Answers the request that makes an image of a container. */
export function commitReply({ images }: EngineState, { query }: Asked): Reply {
  const [, key = '', value = ''] = /^LABEL ([^=]+)=(.*)$/.exec(query.get('changes') ?? '') ?? []
  images.set(`${query.get('repo')}:${query.get('tag')}`, { [key]: value })
  return { status: 201, body: {} }
}

interface Creation {
  readonly Name: string
  readonly Labels: Labels
}

/** Answers the requests about volumes. */
export function volumeReply({ volumes }: EngineState, name: string, { method, query, body }: Asked): Reply {
  if (name === 'create') {
    const { Name, Labels } = body as Creation
    if (!volumes.has(Name)) volumes.set(Name, { labels: Labels, content: '' })
    return { status: 201, body: { Name, Labels } }
  }
  if (name === '') {
    const [label] = (JSON.parse(query.get('filters') ?? '{}') as { label?: string[] }).label ?? []
    const [key = '', value] = label?.split('=') ?? []
    const found = [...volumes].filter(([, { labels }]) => label === undefined || labels[key] === value)
    return ok({ Volumes: found.map(([Name]) => ({ Name })) })
  }
  const volume = volumes.get(name)
  if (volume === undefined) return refused(404, `no such volume: ${name}`)
  if (method === 'DELETE') volumes.delete(name)
  return ok({ Name: name, Labels: volume.labels })
}

/** Answers the requests about networks; the list has those that no container uses, which is all that the panel asks for. */
export function networkReply(engine: EngineState, name: string, { method, body }: Asked): Reply {
  const { networks, containers } = engine
  const usersOf = (network: string) => [...containers.values()].filter((each) => each.network === network)
  const shown = (Name: string) => ({ Id: `network-${Name}`, Name, Labels: networks.get(Name) })
  if (name === 'create') {
    const { Name, Labels } = body as Creation
    if (networks.has(Name)) return refused(409, `network with name ${Name} already exists`)
    networks.set(Name, Labels)
    return { status: 201, body: shown(Name) }
  }
  if (name === '') return ok([...networks.keys()].filter((each) => usersOf(each).length === 0).map(shown))
  const network = [...networks.keys()].find((each) => each === name || shown(each).Id === name)
  if (network === undefined) return refused(404, `network ${name} not found`)
  const found = {
    ...shown(network),
    Containers: Object.fromEntries(usersOf(network).map(({ id }) => [id, {}])),
  }
  if (method === 'DELETE') networks.delete(network)
  return ok(found)
}

/** The reply of `/system/df`. */
export const usageOf = ({ images, containers, volumes }: EngineState) => ({
  Images: [...images].map(([tag, Labels]) => ({ ...imageOf(tag), SharedSize: 0, Labels })),
  Containers: [...containers.values()].map((each) => ({ ...listed(each), SizeRw: 7 })),
  Volumes: [...volumes].map(([Name, { labels }]) => {
    const users = [...containers.values()].filter(({ binds }) =>
      binds.some((bind) => bind.startsWith(`${Name}:`)),
    )
    return { Name, Labels: labels, UsageData: { Size: 10, RefCount: users.length } }
  }),
  BuildCache: [],
})
