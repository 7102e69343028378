import { AsyncLocalStorage } from 'node:async_hooks'
import type AcmeClient from 'acme-client'
import type { AskAuthority } from './exchange.ts'

/** The requests of one order: how they are sent, and when they end. */
export interface Conversation {
  readonly ask: AskAuthority
  readonly signal: AbortSignal
  /** Called with the Retry-After of an answer that refuses a request. */
  readonly onRetryAfter: (header: string) => void
}

type Library = typeof AcmeClient

const conversations = new AsyncLocalStorage<Conversation>()
const maxAnswerBytes = 1024 * 1024
let loaded: Promise<Library> | undefined

/**
 * Runs work with acme-client, all of whose requests obey the rules on outbound addresses (decision 1.11): what
 * a directory answers, the URLs in it included, was chosen by somebody else. It is loaded on first use.
 */
export async function converse<Value>(
  conversation: Conversation,
  work: (acme: Library) => Promise<Value>,
): Promise<Value> {
  const acme = await (loaded ??= load())
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(conversation.signal.reason)
  if (conversation.signal.aborted) end()
  conversation.signal.addEventListener('abort', end, { once: true })
  try {
    // the library waits between two requests without looking at a signal
    return await Promise.race([conversations.run(conversation, () => work(acme)), ended.promise])
  } finally {
    conversation.signal.removeEventListener('abort', end)
  }
}

async function load(): Promise<Library> {
  await import('reflect-metadata') // required by @peculiar/x509, and must be imported first
  const { default: acme } = await import('acme-client')
  acme.axios.defaults.adapter = async (config) => {
    const on = conversations.getStore()
    if (on === undefined) throw new Error('a request of acme-client outside an order')
    const method = (config.method ?? 'get').toUpperCase()
    const { status, headers, text } = await on.ask({
      method: method === 'POST' || method === 'HEAD' ? method : 'GET',
      url: config.url ?? '',
      ...(typeof config.data === 'string' && {
        body: { text: config.data, contentType: 'application/jose+json' },
      }),
      maxBytes: maxAnswerBytes,
      signal: on.signal,
    })
    if (status >= 400 && headers['retry-after'] !== undefined) on.onRetryAfter(headers['retry-after'])
    return { data: text, status, statusText: '', headers, config }
  }
  return acme
}
