import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

// Run as a program inside a host: node visitors.main.ts DOMAIN EXPECTED PER_SECOND FILE. Requests the front page of a website at an even rate, each
// time over a connection of its own and regardless of earlier answers, until it is told to end; then writes what it saw to the file.
const [domain = '', expected = '', perSecond = '', file = ''] = process.argv.slice(2)
const most = 2 * 3600 * Number(perSecond) // so that it ends even if nobody tells it to
const longestMs = 120_000
const seen = { sent: 0, right: 0, kept: 0, failures: [] as string[] }

let isOver = false
process.on('SIGTERM', () => (isOver = true))
const startedAt = performance.now()
const pending = new Set<Promise<void>>()
while (!isOver && seen.sent < most) {
  const due = startedAt + (seen.sent * 1000) / Number(perSecond)
  if (due > performance.now()) await wait(due - performance.now())
  seen.sent++
  const visit = visitOnce().finally(() => pending.delete(visit))
  pending.add(visit)
}
await Promise.all(pending)
writeFileSync(file, JSON.stringify(seen))

async function visitOnce(): Promise<void> {
  const at = Math.round(performance.now() - startedAt)
  const failed = await visit().catch(String)
  if (failed === undefined) seen.right++
  else if (seen.failures.length < 50) seen.failures.push(`after ${at} ms: ${failed}`)
}

/** Returns what is wrong with the answer. */
function visit(): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  const options = { host: '127.0.0.1', path: '/', headers: { host: domain }, agent: false }
  const outgoing = request({ ...options, timeout: longestMs }, (response) => {
    response.setEncoding('utf8')
    let text = ''
    response.on('data', (part: string) => (text += part))
    response.on('error', reject)
    response.on('end', () => {
      if (response.headers['x-cache'] === 'HIT') seen.kept++
      const isRight = response.statusCode === 200 && text.includes(expected)
      resolve(isRight ? undefined : `${response.statusCode} ${text.slice(0, 200)}`)
    })
  })
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
  outgoing.on('error', reject)
  outgoing.end()
  return promise
}
