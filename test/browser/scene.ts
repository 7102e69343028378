import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Page } from 'playwright-core'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { until } from '../support/until.ts'
import { scriptPages } from '../schema/scripts.ts'
import { serveWithPages } from './lbproxy-panel.ts'

/** A panel that looks used: users, websites, certificates, jobs and changes. */
export interface Scene {
  readonly baseUrl: string
  readonly panel: TestPanel
  /** The website with a certificate. */
  readonly websiteId: number
  close(): Promise<void>
}

const people = ['ada', 'grace', 'linus'] as const
const firstUid = 61_070
const websites = [
  ['example.com', 'static', 'ada'],
  ['blog.example.com', 'static', 'ada'],
  ['shop.example.org', 'proxy', 'grace'],
  ['docs.example.net', 'static', 'grace'],
  ['status.example.net', 'static', 'linus'],
] as const
const services = {
  cron: { isActive: true, isEnabled: true },
  exim4: { isActive: true, isEnabled: true },
  haproxy: { isActive: false, isEnabled: false },
  mariadb: { isActive: true, isEnabled: true },
  ssh: { isActive: true, isEnabled: true },
}

/** Most programs are installed on this host, and links are created. */
const programs: Script = ([program, ...args]) => {
  if (args.join(' ') === '--version') return { stdout: '9.9.9\n' }
  if (program === 'find') return { code: 1 }
  return program === 'ln' ? {} : undefined
}

/** Starts the panel with the pages of a build. Needs root, for the homes of its users. */
export async function openScene(webFolder: string): Promise<Scene> {
  const homes = mkdtempSync(`${tmpdir()}/hostreeve-scene-`)
  chmodSync(homes, 0o755)
  const accounts = new Map(
    people.map((name, at) => [name as string, { uid: firstUid + at, home: `${homes}/${name}` }]),
  )
  for (const { home, uid } of accounts.values()) {
    mkdirSync(home)
    chownSync(home, uid, uid)
  }
  const panel = await openTestPanel({
    accounts,
    hasNginx: true,
    isMeasured: true,
    scripts: [...scriptPages(), programs],
  })
  for (const [name, state] of Object.entries(services)) panel.services.set(name, { ...state })
  await panel.start()
  const websiteId = await settle(panel)
  const web = await serveWithPages(panel, webFolder)
  return {
    baseUrl: web.baseUrl,
    panel,
    websiteId,
    close: async () => {
      await web.close()
      await panel.close()
      rmSync(homes, { recursive: true, force: true })
    },
  }
}

/** Adds the users and their websites; returns the website that gets a certificate. */
async function settle(panel: TestPanel): Promise<number> {
  const ask = async (method: string, path: string, body?: object) => {
    const { status, data, text } = await panel.request(method, path, {
      as: panel.admin,
      ...(body && { body }),
    })
    assert.ok(status < 300, text)
    return data
  }
  for (const username of people)
    await panel.person({
      username,
      email: `${username}@example.com`,
      permissions: ['websites_management'],
    })
  const ids: number[] = []
  for (const [domain, type, username] of websites) {
    const upstream = type === 'proxy' ? { upstream: 'http://192.0.2.7:3000' } : {}
    ids.push((await ask('POST', '/api/websites', { domain, type, username, ...upstream })).id)
  }
  const [id = 0] = ids
  await ask('POST', `/api/websites/${id}/aliases`, { name: 'www.example.com' })
  const { job_id: job } = await ask('POST', `/api/websites/${id}/ssl`, { method: 'self_signed' })
  await until(async () => (await ask('GET', `/api/jobs/${job}`)).state === 'succeeded')
  await ask('POST', '/api/plugins/webacl/disable')
  await ask('POST', '/api/plugins/webacl/enable')
  return id
}

const hostname = 'web1.example.com'

/** Shows a page another host than the one that takes the picture: its name, its programs, its load. */
export async function disguiseHost(page: Page): Promise<void> {
  const change = (path: string, edit: (data: any) => unknown) =>
    page.route(`**/api/${path}`, async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      await route.fulfill({ response, json: { ...rest, data: edit(data) } })
    })
  await change('system/info', (info) => ({
    ...info,
    hostname,
    kernel: '6.1.0-41-amd64',
    uptime_seconds: 1_234_567,
  }))
  await change('settings/server-name', () => ({ server_name: hostname, stored: hostname }))
  await change('programs/areas', (areas) => areas.map((area: object) => ({ ...area, ...working })))
  await change('system/metrics*', (metrics) => ({ ...metrics, samples: lastHour() }))
}

const working = { available: true, reason: null, programs: [] }

/** Samples of an hour with some traffic. */
function lastHour(): readonly object[] {
  const now = Math.floor(Date.now() / 1000)
  return Array.from({ length: 360 }, (_, at) => {
    const wave = 1.4 + Math.sin(at / 25) + Math.sin(at / 7) / 3
    return {
      ...{ ts: now - (360 - at) * 10, cpu: 12 + 9 * wave, load: 0.3 + wave / 5 },
      ...{ mem_mb: 2100 + 60 * wave, mem_total_mb: 7950, disk_gb: 21, disk_total_gb: 79 },
      ...{
        disk_read: 40_000 * wave,
        disk_write: 90_000 * wave,
        net_rx: 210_000 * wave,
        net_tx: 640_000 * wave,
      },
    }
  })
}
