import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import {
  idOf,
  Mailboxes,
  mimeOf,
  type StandInFolder,
  type StandInMessage,
  type StandInUser,
} from './mailboxes.ts'

/** Microsoft Graph and its sign-in on loopback, as far as reading and importing mail needs them. */
export interface StandInGraph {
  readonly url: string
  readonly mail: Mailboxes
  /** The requests so far: `GET /v1.0/…`. */
  readonly requests: string[]
  /** The statuses that the next requests are refused with, after the sign-in. */
  readonly refusals: number[]
  /** When a request that was refused may be repeated. */
  retryAfter: string
  /** Has links of earlier rounds be forgotten. */
  forgetsDeltas: boolean
  /** Replaces links to further parts. */
  relink: ((link: string) => string) | undefined
  readonly secret: string
  /** Has the changes of a folder never end: the same part comes again and again, by another link. */
  isEndless: boolean
  /** Messages whose bytes the service cannot make, by their ids, and the status that it answers. */
  readonly unsendable: Map<string, number>
  /** The largest message that is imported. */
  mostImportBytes: number
  /** How often the bytes of a message were sent. */
  fetchedOf(messageId: string): number
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: object | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

const json = (body: object, status = 200): Answer => ({ status, body })
const refused = (status: number, code: string, headers = {}): Answer => ({
  status,
  body: { error: { code, message: `The service says ${code}.`, innerError: {} } },
  headers,
})

/** Starts the service with an empty directory, on a free port unless one is named; its secret is `the-secret-of-the-application`. */
export async function standInGraph(wantedPort = 0): Promise<StandInGraph> {
  const server = createServer((request, response) => {
    void answer(graph, request).then(({ status, body, headers }) => {
      const isBytes = Buffer.isBuffer(body)
      const type = isBytes ? 'application/octet-stream' : 'application/json'
      response
        .writeHead(status, { 'content-type': type, ...headers })
        .end(isBytes ? body : JSON.stringify(body))
    })
  })
  server.listen(wantedPort, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const requests: string[] = []
  const graph: StandInGraph = {
    url: `http://127.0.0.1:${port}`,
    mail: new Mailboxes(),
    requests,
    refusals: [],
    retryAfter: '0',
    forgetsDeltas: false,
    relink: undefined,
    secret: 'the-secret-of-the-application',
    isEndless: false,
    unsendable: new Map(),
    mostImportBytes: Infinity,
    fetchedOf: (id) =>
      requests.filter((each) => each.includes(`/messages/${encodeURIComponent(id)}/$value`)).length,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return graph
}

async function answer(graph: StandInGraph, request: IncomingMessage): Promise<Answer> {
  const body = await textOf(request)
  const { method = 'GET', url = '/', headers } = request
  if (url.endsWith('/oauth2/v2.0/token')) return signIn(graph, new URLSearchParams(body))
  graph.requests.push(`${method} ${url}`)
  if (headers.authorization !== 'Bearer a-token') return refused(401, 'InvalidAuthenticationToken')
  const status = graph.refusals.shift()
  if (status !== undefined)
    return refused(status, 'ApplicationThrottled', { 'retry-after': graph.retryAfter })
  if (url === '/v1.0/$batch') {
    const { requests }: { requests: { id: string; url: string }[] } = JSON.parse(body)
    return json({
      responses: requests.toReversed().map(({ id, url: path }) => {
        const { status: of, body: content } = route(graph, `/v1.0${path}`, headers)
        return { id, status: of, headers: {}, body: content }
      }),
    })
  }
  return method === 'POST' ? create(graph, url, headers, body) : route(graph, url, headers)
}

function signIn(graph: StandInGraph, form: URLSearchParams): Answer {
  if (form.get('grant_type') !== 'client_credentials' || !form.get('scope')?.endsWith('/.default'))
    return json({ error: 'invalid_request', error_description: 'AADSTS900144: The request is wrong.' }, 400)
  if (form.get('client_secret') !== graph.secret)
    return json(
      { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret provided.' },
      401,
    )
  return json({ token_type: 'Bearer', expires_in: 3599, access_token: 'a-token' })
}

interface Asked {
  readonly graph: StandInGraph
  readonly url: URL
  readonly parts: readonly string[]
  readonly pageSize: number
}

function route(graph: StandInGraph, path: string, headers: IncomingMessage['headers']): Answer {
  const url = new URL(path, graph.url)
  const parts = url.pathname.split('/').filter(Boolean).map(decodeURIComponent)
  const pageSize = Number(/maxpagesize=(\d+)/.exec(String(headers['prefer']))?.[1] ?? 10)
  const asked = { graph, url, parts, pageSize }
  if (parts[1] !== 'users') return refused(400, 'BadRequest')
  if (parts.length === 2)
    return page(asked, graph.mail.users, ({ id, address }) => ({
      ...{ id, displayName: address.split('@')[0], mail: address, userPrincipalName: address },
    }))
  const user = graph.mail.users.find(({ id }) => id === parts[2])
  if (user === undefined) return refused(404, 'Request_ResourceNotFound')
  if (!user.hasMailbox) return refused(404, 'MailboxNotEnabledForRESTAPI')
  return parts[3] === 'mailFolders' ? ofFolders(asked, user) : ofMessages(asked, user)
}

/** A part of a list, of three at most, so that every list has several. */
function page<Item>({ graph, url }: Asked, items: readonly Item[], shown: (item: Item) => object): Answer {
  const skip = Number(url.searchParams.get('$skip') ?? 0)
  const value = items.slice(skip, skip + 3).map(shown)
  if (skip + 3 >= items.length) return json({ value })
  const next = new URL(url)
  next.searchParams.set('$skip', String(skip + 3))
  return json({ value, '@odata.nextLink': graph.relink?.(next.href) ?? next.href })
}

/** Makes folders, and puts messages into them: `importMime` of the beta. */
function create(
  graph: StandInGraph,
  path: string,
  headers: IncomingMessage['headers'],
  body: string,
): Answer {
  const parts = new URL(path, graph.url).pathname.split('/').filter(Boolean).map(decodeURIComponent)
  const [version, kind, userId, list, folderId, action] = parts
  const user = graph.mail.users.find(({ id }) => id === userId)
  if (kind !== 'users' || list !== 'mailFolders') return refused(400, 'BadRequest')
  if (user === undefined) return refused(404, 'Request_ResourceNotFound')
  if (!user.hasMailbox) return refused(404, 'MailboxNotEnabledForRESTAPI')
  const folder = user.folders.find(({ id }) => id === folderId)
  if (folderId !== undefined && folder === undefined) return refused(404, 'ErrorItemNotFound')
  if (folder !== undefined && action === 'importMime' && version === 'beta')
    return importMime(graph, folder, headers, body)
  if (folder !== undefined && action !== 'childFolders') return refused(400, 'BadRequest')
  const { displayName }: { displayName: string } = JSON.parse(body)
  const parentId = folder?.id ?? idOf(`${user.address} root`)
  const isTaken = ({ parentFolderId, displayName: name }: StandInFolder) =>
    parentFolderId === parentId && name.toLowerCase() === displayName.toLowerCase()
  if (user.folders.some(isTaken)) return refused(409, 'ErrorFolderExists')
  return json(shownFolder(user)(graph.mail.addFolder(user, displayName, folder)), 201)
}

function importMime(
  { mail, mostImportBytes }: StandInGraph,
  folder: StandInFolder,
  { 'content-type': type = '' }: IncomingMessage['headers'],
  body: string,
): Answer {
  if (!type.startsWith('text/plain')) return refused(400, 'UnableToDeserializePostBody')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return refused(400, 'ErrorMimeContentInvalidBase64String')
  const mime = Buffer.from(body, 'base64')
  if (mime.length > mostImportBytes) return refused(413, 'RequestEntityTooLarge')
  return json(shownMessage(mail.importMessage(folder, mime)), 201)
}

const foldersBelow = ({ folders }: StandInUser, parent: string) =>
  folders.filter(({ parentFolderId }) => parentFolderId === parent)

const shownFolder =
  (user: StandInUser) =>
  ({ id, displayName, parentFolderId }: StandInFolder) => ({
    ...{ id, displayName, parentFolderId, isHidden: false },
    childFolderCount: foldersBelow(user, id).length,
  })

function ofFolders(asked: Asked, user: StandInUser): Answer {
  const { parts } = asked
  const shown = shownFolder(user)
  if (parts.length === 4)
    return page(
      asked,
      user.folders.filter(({ isTop }) => isTop),
      shown,
    )
  const folder = user.folders.find(({ id }) => id === parts[4])
  if (folder === undefined) return refused(404, 'ErrorItemNotFound')
  if (parts[5] === 'childFolders') return page(asked, foldersBelow(user, folder.id), shown)
  if (parts[5] === 'messages' && parts.length === 6)
    return page(asked, [...folder.messages.values()], shownMessage)
  return parts[6] === 'delta' ? changes(asked, folder) : refused(400, 'BadRequest')
}

interface Round {
  readonly since: number
  readonly upTo: number
  readonly offset: number
}

function changes({ graph, url, pageSize }: Asked, folder: StandInFolder): Answer {
  const [skip, delta] = [url.searchParams.get('$skiptoken'), url.searchParams.get('$deltatoken')]
  if (delta !== null && graph.forgetsDeltas) return refused(410, 'SyncStateNotFound')
  const token = skip ?? delta
  const earlier: Round = token === null ? { since: 0, upTo: 0, offset: 0 } : JSON.parse(token)
  const { seq } = graph.mail
  const round = skip === null ? { since: earlier.upTo, upTo: seq, offset: 0 } : earlier
  const all = [
    ...[...folder.messages.values()].map((message) => ({
      seq: message.seq,
      // a later round tells at least what has changed
      value:
        round.since > 0 && message.isOnlyRead
          ? { id: message.id, isRead: message.isRead }
          : shownMessage(message),
    })),
    ...(round.since === 0
      ? []
      : [...folder.removed].map(([id, at]) => ({
          seq: at,
          value: { id, '@removed': { reason: 'deleted' } },
        }))),
  ]
    .filter((each) => each.seq > round.since && each.seq <= round.upTo)
    .toSorted((one, other) => one.seq - other.seq)
  const offset = graph.isEndless ? 0 : round.offset + pageSize
  const link = (name: string, state: Round) => {
    const next = new URL(url.pathname, graph.url)
    next.searchParams.set(name, JSON.stringify(state))
    if (graph.isEndless) next.searchParams.set('count', String(graph.requests.length))
    return graph.relink?.(next.href) ?? next.href
  }
  return json({
    value: all.slice(round.offset, round.offset + pageSize).map(({ value }) => value),
    ...(offset < all.length || graph.isEndless
      ? { '@odata.nextLink': link('$skiptoken', { ...round, offset }) }
      : { '@odata.deltaLink': link('$deltatoken', round) }),
  })
}

const shownMessage = ({ id, subject, isRead, attachments, receivedDateTime, messageId }: StandInMessage) => ({
  ...{ id, subject, isRead, receivedDateTime, importance: 'normal', isDraft: false, bodyPreview: 'body' },
  internetMessageId: messageId ?? `<${id}@example.com>`,
  hasAttachments: attachments.length > 0,
  from: { emailAddress: { name: 'Dana', address: 'dana@example.org' } },
  toRecipients: [{ emailAddress: { name: 'Adele', address: 'adele@example.com' } }],
})

function ofMessages({ graph, parts }: Asked, { folders }: StandInUser): Answer {
  const message = folders.flatMap(({ messages }) => messages.get(parts[4] ?? '') ?? [])[0]
  if (message === undefined) return refused(404, 'ErrorItemNotFound')
  if (parts.length === 5) return json(shownMessage(message))
  const unsendable = graph.unsendable.get(message.id)
  if (parts[5] === '$value' && unsendable !== undefined)
    return refused(unsendable, 'ErrorMimeContentConversionFailed')
  if (parts[5] === '$value') return { status: 200, body: mimeOf(message) }
  if (parts.length === 6)
    return json({
      value: message.attachments.map(({ id, name, contentType, kind, data }) => ({
        ...{ '@odata.type': `#microsoft.graph.${kind}`, id, name, contentType, size: data.length + 120 },
      })),
    })
  const attachment = message.attachments.find(({ id }) => id === parts[6])
  if (attachment === undefined) return refused(404, 'ErrorItemNotFound')
  if (attachment.kind === 'referenceAttachment') return refused(405, 'MethodNotAllowed')
  return { status: 200, body: attachment.data }
}
