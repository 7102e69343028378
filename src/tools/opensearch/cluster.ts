import { Problem } from '../../core/problem.ts'
import type { ApiConnection, ApiRequest } from '../../host/apply/steps.ts'
import { connectProblems } from '../../host/connect/index.ts'

const { NotAnswering, ReplyTooLarge } = connectProblems

/** The nodes of an existing cluster; none for the node of this host. */
export interface Cluster {
  nodes: readonly string[]
}

interface Limits {
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** The first fault of addresses of nodes; undefined if there is none. An address is not quoted, as it may have a password. */
function faultOfNodes(nodes: readonly string[]): string | undefined {
  const isNode = (text: string) => {
    const url = URL.parse(text)
    const isPlain = url?.username === '' && url.password === '' && url.pathname === '/' && url.search === ''
    return url !== null && /^https?:$/.test(url.protocol) && isPlain && url.hash === ''
  }
  const at = nodes.findIndex((node) => !isNode(node))
  return at === -1
    ? undefined
    : `logstore_url: address ${at + 1} must be one such as http://10.0.0.5:9200, without credentials and path`
}

/** Sends a request to the first node that answers, beginning with the one that answered last. The addresses are a setting of the administrator. */
export function connectCluster(cluster: Cluster, limits: Limits): ApiConnection {
  let answered = 0
  return {
    send: async (request) => {
      const { nodes } = cluster
      const fault = faultOfNodes(nodes)
      if (fault !== undefined) throw NotAnswering(fault)
      const signal = AbortSignal.timeout(limits.timeoutMs)
      let failure = ''
      for (let turn = 0; turn < nodes.length; turn++) {
        const at = (answered + turn) % nodes.length
        const reply = await ask(nodes[at] ?? '', request, signal).catch((error: unknown) => {
          if (signal.aborted) throw NotAnswering(`OpenSearch did not answer within ${limits.timeoutMs} ms`)
          failure = reasonOf(error)
          return undefined
        })
        if (reply === undefined) continue
        answered = at
        return { status: reply.status, body: await bodyOf(reply, limits.maxBytes) }
      }
      throw NotAnswering(`OpenSearch cannot be reached: no node of logstore_url answers: ${failure}`)
    },
  }
}

function ask(node: string, { method, path, body }: ApiRequest, signal: AbortSignal): Promise<Response> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return fetch(new URL(path, node), { method, headers, redirect: 'manual', signal, ...content })
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  return (cause instanceof Error ? cause.message : String(error)).slice(0, 300)
}

async function bodyOf(reply: Response, maxBytes: number): Promise<unknown> {
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for await (const part of reply.body ?? []) {
      size += part.length
      if (size > maxBytes) throw ReplyTooLarge(`OpenSearch sent more than ${maxBytes} bytes`)
      parts.push(part)
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw NotAnswering(`OpenSearch did not complete its answer: ${reasonOf(error)}`)
  }
  const text = Buffer.concat(parts).toString()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
