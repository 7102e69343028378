import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { Problem } from '../../core/problem.ts'
import type { Dialled, Exchanged } from '../../host/fetch/index.ts'
import type { Host } from '../../host/index.ts'
import { BuildMisconfigured, PartnerFailed, PartnerUnreachable, SecretRejected } from './problems.ts'

/** The server of the partner; its address is a setting of the administrator, so it may be internal. */
export interface PartnerServer {
  readonly fetch: Host['fetch']
  readonly dial: Host['dial']
  /** Empty if none is configured. */
  readonly url: string
  /** Empty if this build has none. */
  readonly secret: string
}

/** What the partner is told of this host. */
export interface TrialRequest {
  readonly licence_id: string
  readonly hostname: string
  readonly system_prompt: string
}

const Token = Type.String({ minLength: 1, maxLength: 2000, pattern: '^[!-~]+$' })

const Trial = Type.Object({
  token: Token,
  socket_url: Type.String({ maxLength: 2000, pattern: '^wss?://' }),
  expires_at: Type.String({ maxLength: 40 }),
  reused: Type.Optional(Type.Boolean()),
  blocked: Type.Optional(Type.Boolean()),
  blocked_message: Type.Optional(Type.String()),
})
type Trial = Static<typeof Trial>

const Names = Type.Array(Type.String({ maxLength: 64 }), { maxItems: 500 })

/** The bot as the partner knows it. */
const Bot = Type.Object({
  channel_token: Type.Optional(Type.String({ maxLength: 300 })),
  enabled: Type.Optional(Type.Boolean()),
  allowed_users: Type.Optional(Names),
  allowed_groups: Type.Optional(Names),
  admin_users: Type.Optional(Names),
  mention_only: Type.Optional(Type.Boolean()),
  bot_username: Type.Optional(Type.String({ maxLength: 200 })),
})
export type Bot = Static<typeof Bot>

const Agent = Type.Object({
  version: Type.String({ maxLength: 50, pattern: '^[0-9A-Za-z][0-9A-Za-z.+-]*$' }),
  url: Type.String({ maxLength: 2000, pattern: '^https?://' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
type Agent = Static<typeof Agent>

const asker = { isAdmin: true }
const limitMs = 20_000
const mostBytes = 256 * 1024
const longestFrame = 1024 * 1024

/** True if this build can ask a partner at all. */
export const isConfigured = ({ url, secret }: PartnerServer): boolean => url !== '' && secret !== ''

/** Activates the trial of a licence; the partner answers a licence that it knows with the former trial. */
export async function startTrial(
  server: PartnerServer,
  request: TrialRequest,
  signal: AbortSignal,
): Promise<Trial> {
  const { secret } = server
  if (!isConfigured(server)) throw BuildMisconfigured()
  if (!/^[!-~]+$/.test(secret)) throw BuildMisconfigured('partner_secret: must be ASCII without spaces')
  const answer = await send(server, { method: 'POST', path: 'trials', bearer: secret, body: request }, signal)
  if (isRefusal(answer.status)) throw SecretRejected(reasonIn(answer, secret))
  if (!isSuccess(answer.status)) throw PartnerFailed(reasonIn(answer, secret))
  const trial = jsonOf(answer)
  if (!Check(Trial, trial) || Number.isNaN(Date.parse(trial.expires_at)))
    throw PartnerFailed('The AI partner sent no trial that can be read')
  return { ...trial, expires_at: new Date(trial.expires_at).toISOString() }
}

/** Reads the bot that a token configures. */
export async function readBot(server: PartnerServer, bearer: string, signal: AbortSignal): Promise<Bot> {
  return botIn(await send(server, { method: 'GET', path: 'channel-a', bearer }, signal), bearer)
}

/** Changes the bot that a token configures; what the draft leaves out stays. An empty token of the bot disables it. */
export async function writeBot(
  server: PartnerServer,
  { bearer, bot }: { readonly bearer: string; readonly bot: Bot },
  signal: AbortSignal,
): Promise<Bot> {
  const answer = await send(server, { method: 'POST', path: 'channel-a', bearer, body: bot }, signal)
  return botIn(answer, bearer)
}

/** The program of the gateway, or the partner's refusal of its token. */
type Offer = Agent | { readonly refusal: string }

/** Asks for the program of the gateway that a token belongs to. */
export async function readAgent(server: PartnerServer, bearer: string, signal: AbortSignal): Promise<Offer> {
  if (server.url === '') throw BuildMisconfigured()
  const answer = await send(server, { method: 'POST', path: 'gateway/agent', bearer, body: {} }, signal)
  if (answer.status >= 400 && answer.status < 500) return { refusal: reasonIn(answer, bearer) }
  if (!isSuccess(answer.status)) throw PartnerFailed(reasonIn(answer, bearer))
  const agent = jsonOf(answer)
  if (!Check(Agent, agent)) throw PartnerFailed('The AI partner offers no program that can be read')
  return agent
}

/** Opens the chat of a trial; throws PartnerUnreachable. */
export async function openChat(
  { dial, url }: PartnerServer,
  { token, socketUrl }: { readonly token: string; readonly socketUrl: string },
  signal: AbortSignal,
): Promise<Dialled> {
  const wanted = {
    url: socketUrl,
    // the partner names the address of its socket: another host than its own must be a public one
    asker: { isAdmin: isSameHost(socketUrl, url) },
    headers: { authorization: `Bearer ${token}` },
    maxMessageBytes: longestFrame,
    signal,
  }
  return dial(wanted).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable(error)
  })
}

/** True if two addresses have the same host name: only then may the first be internal. */
export const isSameHost = (one: string, other: string): boolean =>
  URL.parse(one)?.hostname === URL.parse(other)?.hostname

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly bearer: string
  readonly body?: object
}

async function send(
  { fetch, url }: PartnerServer,
  { method, path, bearer, body }: Sent,
  signal: AbortSignal,
): Promise<Exchanged> {
  if (url === '') throw BuildMisconfigured()
  const address = URL.parse(path, url.endsWith('/') ? url : `${url}/`)?.href ?? url
  const wanted = {
    method,
    url: address,
    asker,
    headers: { authorization: `Bearer ${bearer}` },
    maxBytes: mostBytes,
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    ...(body && { body: { text: JSON.stringify(body), contentType: 'application/json' } }),
  }
  return fetch.exchange(wanted).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable(error)
  })
}

function unreachable(error: unknown): unknown {
  if (error instanceof Problem) return PartnerUnreachable(error.message.replace(/^url: /, ''))
  if (error instanceof Error && error.name === 'TimeoutError')
    return PartnerUnreachable(`The AI partner did not answer within ${limitMs / 1000} s`)
  return error
}

const isRefusal = (status: number): boolean => status === 401 || status === 403
const isSuccess = (status: number): boolean => status === 200 || status === 201

function botIn(answer: Exchanged, bearer: string): Bot {
  const { status } = answer
  if (isRefusal(status)) throw PartnerFailed(reasonIn(answer, bearer))
  if (!isSuccess(status)) throw PartnerFailed(reasonIn(answer, bearer), { status })
  const bot = knownFields(jsonOf(answer))
  if (!Check(Bot, bot)) throw PartnerFailed('The AI partner sent no configuration that can be read')
  return bot
}

/** What else the partner tells of a bot, perhaps another credential, is not passed on. */
function knownFields(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter(([name]) => name in Bot.properties))
}

function jsonOf({ text }: Exchanged): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const Refusal = Type.Object({ message: Type.String() })
const Refusals = [Refusal, Type.Object({ error: Refusal })] as const

/** The partner's message without the credential that it was sent, which it may repeat. */
function reasonIn(answer: Exchanged, bearer: string): string {
  const json = jsonOf(answer)
  const [flat, nested] = Refusals
  const said = Check(flat, json) ? json.message : Check(nested, json) ? json.error.message : ''
  const message = said
    .replaceAll(bearer, '••••••••')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300)
  return `The AI partner answered ${answer.status}${message === '' ? '' : `: ${message}`}`
}
