import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

// Run as a program inside a host: node load.ts ADDRESS PORT PER_SECOND SECONDS. Sends requests at an even
// rate, regardless of the results of earlier ones, and prints the results as JSON. Every other request has a
// connection of its own; the others share kept ones, and do what browsers do when one is closed before it
// answered (RFC 9110, section 9.2.2): they ask again.
const [address, port, perSecond, seconds] = process.argv.slice(2)
const single = new Agent({ keepAlive: false })
const kept = new Agent({ keepAlive: true, maxSockets: 20 })
const seen = { sent: 0, right: 0, askedAgain: 0, failures: [] as string[] }
const durations: number[] = []

const total = Number(perSecond) * Number(seconds)
const startedAt = performance.now()
const pending: Promise<void>[] = []
for (; seen.sent < total; seen.sent++) {
  const due = startedAt + (seen.sent * 1000) / Number(perSecond)
  if (due > performance.now()) await wait(due - performance.now())
  pending.push(visit(seen.sent % 2 === 0 ? single : kept))
}
await Promise.all(pending)
durations.sort((one, other) => one - other)
const percentile = (share: number) => Math.round(durations[Math.floor(durations.length * share)] ?? 0)
const tookSeconds = (performance.now() - startedAt) / 1000
console.log(
  JSON.stringify({
    ...seen,
    perSecond: Math.round(total / tookSeconds),
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    maxMs: percentile(0.99999),
  }),
)

async function visit(agent: Agent): Promise<void> {
  const begun = performance.now()
  try {
    const answer = await ask(agent)
    durations.push(performance.now() - begun)
    if (/^200 shop\d$/.test(answer)) seen.right++
    else seen.failures.push(answer.slice(0, 200))
  } catch (error) {
    seen.failures.push(String(error))
  }
}

function ask(agent: Agent): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const outgoing = request({ host: address, port, agent, timeout: 10_000 }, (response) => {
    response.setEncoding('utf8')
    let text = ''
    response.on('data', (part: string) => (text += part))
    response.on('end', () => resolve(`${response.statusCode} ${text.trim()}`))
    response.on('error', reject)
  })
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer within 10 s')))
  outgoing.on('error', (error) => {
    if (!outgoing.reusedSocket || !/ECONNRESET|socket hang up|EPIPE/.test(String(error))) return reject(error)
    seen.askedAgain++
    resolve(ask(agent))
  })
  outgoing.end()
  return promise
}
