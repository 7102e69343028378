import { Agent, request } from 'node:http'

// Run as a program inside a host: node clients.ts PORT COUNT SECONDS TOKEN USER_ID. COUNT clients send
// requests one at a time, each on its own kept connection; every tenth request is a change. Prints the
// results as JSON.
const [port, count, seconds, token, userId] = process.argv.slice(2)
const seen = { requests: 0, changes: 0, failures: [] as string[] }
const durations: number[] = []
const keys = `/api/users/${userId}/api-keys`
const reads = [
  '/api/auth/me',
  '/api/users',
  '/api/websites',
  '/api/system/info',
  '/api/jobs',
  '/api/version',
  '/api/users/permission-slugs',
  '/healthz',
]

const endsAt = performance.now() + Number(seconds) * 1000
await Promise.all(Array.from({ length: Number(count) }, (_, client) => work(client)))
durations.sort((one, other) => one - other)
const percentile = (share: number) => Math.round(durations[Math.floor(durations.length * share)] ?? 0)
console.log(
  JSON.stringify({
    ...seen,
    failures: seen.failures.slice(0, 20),
    failed: seen.failures.length,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    maxMs: percentile(0.99999),
  }),
)

async function work(client: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let round = client; performance.now() < endsAt; round++)
    if (round % 9 === 8) await makeAndDropKey(agent, `client ${client} ${round}`)
    else await ask(agent, 'GET', reads[round % reads.length] as string)
  agent.destroy()
}

async function makeAndDropKey(agent: Agent, name: string): Promise<void> {
  seen.changes += 2
  const made = await ask(agent, 'POST', keys, { name })
  const { id } = (JSON.parse(made || '{}') as { data?: { id?: number } }).data ?? {}
  await ask(agent, 'DELETE', `${keys}/${id}`)
}

/** The body of the answer; empty where it failed, which is counted. */
async function ask(agent: Agent, method: string, path: string, body?: object): Promise<string> {
  const begun = performance.now()
  seen.requests++
  try {
    const { status, text } = await exchange(agent, method, path, body)
    durations.push(performance.now() - begun)
    if (status >= 200 && status < 300) return text
    seen.failures.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
  } catch (error) {
    seen.failures.push(`${method} ${path}: ${String(error)}`)
  }
  return ''
}

function exchange(agent: Agent, method: string, path: string, body?: object) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const headers = { authorization: `Bearer ${token}` }
  const target = { host: '127.0.0.1', port, method, path, agent, headers, timeout: 30_000 }
  const outgoing = request(target, (response) => {
    response.setEncoding('utf8')
    let text = ''
    response.on('data', (part: string) => (text += part))
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    response.on('error', reject)
  })
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 30 s')))
  outgoing.on('error', reject)
  outgoing.end(body && JSON.stringify(body))
  return promise
}
