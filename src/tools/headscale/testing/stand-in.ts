import type { ApiRequest } from '../../../host/apply/steps.ts'
import { connectProblems } from '../../../host/connect/index.ts'
import type { HeadscaleApi } from '../api.ts'
import { KeyMissing, ServerRefused } from '../problems.ts'

export interface StandInNode {
  id: string
  givenName: string
  user: { id: string; name: string } | null
  ipAddresses: string[]
  online: boolean
  expiry: string | null
  approvedRoutes: string[]
  availableRoutes: string[]
  subnetRoutes: string[]
  tags: string[]
}

interface StandInKey {
  id: string
  key: string
  user: { id: string; name: string }
  reusable: boolean
  ephemeral: boolean
  used: boolean
  expiration: string
  createdAt: string
}

/** The API of a control server in memory, with the shapes and refusals of headscale 0.29. */
export interface StandInHeadscale extends HeadscaleApi {
  users: { id: string; name: string; createdAt: string }[]
  nodes: StandInNode[]
  preAuthKeys: StandInKey[]
  apiKeys: { id: string; prefix: string; expiration: string }[]
  policy: string | undefined
  /** True while it does not answer. */
  isDown: boolean
  /** True while the panel has no key. */
  isLocked: boolean
  /** What it answers to the next change, instead of making it. */
  refusal: string | undefined
}

const created = '2026-01-01T00:00:00Z'

/** A prefix of a key of the API, with hyphens in it, and how the list shows it. */
export const apiPrefixOf = (name: string): string => name.padEnd(12, '-')
export const shownPrefixOf = (name: string): string => `hskey-api-${apiPrefixOf(name)}-***`

/** Makes a node of a user. */
export const nodeOf = (
  id: number,
  givenName: string,
  user: { readonly id: string; readonly name: string },
  rest: Partial<StandInNode> = {},
): StandInNode => ({
  ...{ id: String(id), givenName, user: { ...user }, ipAddresses: [`100.64.0.${id}`], online: true },
  ...{ expiry: null, approvedRoutes: [], availableRoutes: [], subnetRoutes: [], tags: [] },
  ...rest,
})

/** Makes an empty control server. */
export function standInHeadscale(): StandInHeadscale {
  let ids = 0
  const server: StandInHeadscale = {
    ...{ users: [], nodes: [], preAuthKeys: [], apiKeys: [], policy: undefined },
    ...{ isDown: false, isLocked: false, refusal: undefined },
    isWell: async () => !server.isDown,
    send: async (request, excused) => {
      if (server.isLocked) throw KeyMissing()
      if (server.isDown)
        throw connectProblems.NotAnswering('The control server cannot be reached: ECONNREFUSED')
      const refusal = request.method === 'GET' ? undefined : server.refusal
      if (refusal === undefined) {
        const answer = answerOf(server, request, () => String(++ids))
        if (typeof answer !== 'string') return structuredClone(answer)
        if (excused?.test(answer)) return undefined
        throw ServerRefused(`${request.method} ${request.path}: status 500: ${answer}`)
      }
      throw ServerRefused(`${request.method} ${request.path}: status 500: ${refusal}`)
    },
  }
  return server
}

type Fields = Readonly<Record<string, any>>

/** The answer, or the message of a refusal. */
function answerOf(
  server: StandInHeadscale,
  { method, path, body }: ApiRequest,
  nextId: () => string,
): object | string {
  const given = (body ?? {}) as Fields
  const [, noun = '', id = '', verb = ''] = path.replace(/\?.*$/, '').split('/')
  const called = `${method} ${noun}${id === '' ? '' : '/*'}${verb === '' ? '' : `/${verb}`}`
  switch (called) {
    case 'GET user':
      return { users: server.users }
    case 'POST user':
      if (server.users.some(({ name }) => name === given['name'])) return 'UNIQUE constraint failed'
      server.users.push({ id: nextId(), name: given['name'], createdAt: created })
      return {}
    case 'DELETE user/*':
      if (server.nodes.some(({ user }) => user?.id === id)) return 'user not empty: node(s) found'
      server.users = server.users.filter((user) => user.id !== id)
      return {}
    case 'GET policy':
      return server.policy === undefined ? 'acl policy not found' : { policy: server.policy }
    case 'PUT policy':
      server.policy = given['policy']
      return {}
    case 'POST policy/*':
      return /refuse-me/.test(given['policy']) ? 'parsing policy: it was refused' : {}
    default:
      return noun === 'node'
        ? ofNodes(server, called, id, given)
        : ofKeys(server, `${method} ${path.split('?')[0]}`, { ...given, path }, nextId)
  }
}

function ofNodes(server: StandInHeadscale, called: string, id: string, given: Fields): object | string {
  if (called === 'GET node') return { nodes: server.nodes }
  const node = server.nodes.find((each) => each.id === id)
  if (node === undefined) return 'node not found'
  if (called === 'DELETE node/*') server.nodes = server.nodes.filter((each) => each !== node)
  if (called === 'POST node/*/expire') node.expiry = new Date(Date.now() - 1000).toISOString()
  if (called === 'POST node/*/approve_routes') node.approvedRoutes = [...given['routes']]
  return {}
}

function ofKeys(
  server: StandInHeadscale,
  called: string,
  given: Fields,
  nextId: () => string,
): object | string {
  const query = new URLSearchParams(String(given['path']).split('?')[1] ?? '')
  switch (called) {
    case 'GET /preauthkey':
      return { preAuthKeys: server.preAuthKeys }
    case 'POST /preauthkey': {
      const user = server.users.find((each) => each.id === given['user'])
      if (user === undefined) return 'user not found'
      const id = nextId()
      const key = { id, user, reusable: given['reusable'], ephemeral: given['ephemeral'], used: false }
      const times = { expiration: given['expiration'], createdAt: created }
      server.preAuthKeys.push({ ...key, ...times, key: `hskey-auth-${id}abc-***` })
      return { preAuthKey: { ...key, ...times, key: `hskey-auth-${id}abc-whole` } }
    }
    case 'DELETE /preauthkey':
      server.preAuthKeys = server.preAuthKeys.filter((key) => key.id !== query.get('id'))
      return {}
    case 'POST /preauthkey/expire': {
      const key = server.preAuthKeys.find((each) => each.id === given['id'])
      if (key) key.expiration = new Date(Date.now() - 1000).toISOString()
      return key ? {} : 'key not found'
    }
    case 'GET /apikey':
      return { apiKeys: server.apiKeys }
    case 'POST /apikey': {
      const id = nextId()
      server.apiKeys.push({ id, prefix: shownPrefixOf(`prefix${id}`), expiration: given['expiration'] })
      return { apiKey: `hskey-api-${apiPrefixOf(`prefix${id}`)}-whole` }
    }
    default: {
      const prefix = /^DELETE \/apikey\/(.+)$/.exec(called)?.[1]
      if (prefix === undefined) return `no such call: ${called}`
      server.apiKeys = server.apiKeys.filter((each) => each.prefix !== shownPrefixOf(prefix))
      return {}
    }
  }
}
