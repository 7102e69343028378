import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Figure } from './figures.ts'
import { admin, type ShippedPanel, startShipped } from './shipped-panel.ts'
import { buildShipped } from './shipped.ts'

const clients = 16
const signIns = 300
const restMs = 10_000

/** Resident memory of the panel as shipped: at rest, after mixed load and some idle time, and its peak with many sign-ins at once. */
export async function measureMemory(isShort: boolean): Promise<readonly Figure[]> {
  const dataDir = mkdtempSync(`${tmpdir()}/hostreeve-memory-`)
  const folder = buildShipped()
  try {
    await (await startShipped(folder, dataDir)).stop() // creates the store and fills the compile cache
    const panel = await startShipped(folder, dataDir)
    try {
      return await figuresOf(
        panel,
        isShort ? { loadMs: 10_000, idleMs: 20_000 } : { loadMs: 60_000, idleMs: 120_000 },
      )
    } finally {
      await panel.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Durations {
  readonly loadMs: number
  readonly idleMs: number
}

async function figuresOf(panel: ShippedPanel, { loadMs, idleMs }: Durations): Promise<readonly Figure[]> {
  await pause(restMs)
  const rest = panel.memory().residentMegabytes
  const requests = await loadMixed(panel.url, loadMs)
  await Promise.all(Array.from({ length: signIns }, () => signIn(panel.url)))
  await pause(idleMs)
  const { residentMegabytes, peakMegabytes } = panel.memory()
  const figure = (what: string, value: number, bound: number, detail?: string): Figure => ({
    what: `memory: ${what}`,
    value,
    unit: 'MB',
    bound,
    loose: bound,
    ...(detail !== undefined && { detail }),
  })
  return [
    figure('at rest', rest, 100),
    figure('after load', residentMegabytes, 125, `${requests} requests, then ${idleMs / 1000} s idle`),
    figure('peak', peakMegabytes, 160, `with ${signIns} sign-ins at once`),
  ]
}

const paths = [
  '/',
  '/api/users',
  '/api/websites',
  '/api/activity',
  '/api/jobs',
  '/api/plugins',
  '/api/openapi.json',
]

/** Sends reads of every kind with one change in every 40 requests; returns the number of requests. */
async function loadMixed(url: string, durationMs: number): Promise<number> {
  const token = ((await (await signIn(url)).json()) as { data: { access_token: string } }).data.access_token
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const end = performance.now() + durationMs
  let requests = 0
  const work = async () => {
    while (performance.now() < end) {
      requests += 1
      const body = JSON.stringify({
        email: `u${requests}@bench.test`,
        password: admin.password,
        fullname: 'User',
      })
      const answer =
        requests % 40 === 0
          ? await fetch(`${url}/api/users`, { method: 'POST', headers, body })
          : await fetch(url + paths[requests % paths.length], { headers })
      if (answer.status >= 400) throw new Error(`the panel answered ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: clients }, work))
  return requests
}

/** Most of those that are sent at once are refused by the limit of attempts; they are parsed and answered all the same. */
async function signIn(url: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(admin) })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
