import assert from 'node:assert/strict'
import { join } from 'node:path'
import { bootHost, startPanel } from '../harness/index.ts'
import type { Host, Panel } from '../harness/index.ts'
import { Prober } from './prober.ts'
import { type Answer, SignedIn } from './signed-in.ts'
import { visit } from './visit.ts'

/** The website that must be served whatever happens to the others. */
export const steady = 'steady.example.com'
const steadyPage = '<h1>always there</h1>\n'

/** A host whose nginx serves a website of ada, which is requested every 50 ms until the end. */
export class SteadySite {
  readonly host: Host
  readonly panel: Panel
  readonly admin: SignedIn
  readonly ada: SignedIn
  readonly id: number
  readonly #prober: Prober

  private constructor(panel: Panel, admin: SignedIn, ada: SignedIn, id: number) {
    this.host = panel.host
    this.panel = panel
    this.admin = admin
    this.ada = ada
    this.id = id
    this.#prober = new Prober(panel.host, steady, steadyPage)
  }

  static async make(hostName: string): Promise<SteadySite> {
    const host = await bootHost(hostName)
    const errorLog = 's|^error_log .*|error_log /var/log/nginx/error.log notice;|' // reloads are notices
    await host.must(['sed', '-i', errorLog, '/etc/nginx/nginx.conf'])
    const panel = await startPanel(host)
    const admin = await SignedIn.as(panel)
    await admin.installNginx()
    const ada = (await admin.makeOwner('ada')).signedIn
    const { id } = await ada.must('POST', '/api/websites', { domain: steady, type: 'static' })
    const path = `sites/${steady}/public/index.html`
    await ada.must('POST', '/api/filemanager/write', { username: 'ada', path, content: steadyPage })
    return new SteadySite(panel, admin, ada, id)
  }

  /** A path of the host as this machine sees it. */
  at(path: string): string {
    return join(this.host.rootPath, path)
  }

  create(domain: string): Promise<Answer> {
    return this.ada.ask('POST', '/api/websites', { domain, type: 'static' })
  }

  async domains(): Promise<readonly string[]> {
    const { items } = await this.ada.must('GET', '/api/websites?per_page=500')
    return items.map(({ domain }: { domain: string }) => domain)
  }

  async assertServed(): Promise<void> {
    assert.equal((await visit(this.host, steady)).text, steadyPage)
  }

  /** Stops the requests, and asserts that there were some and that never more than forty in a row failed: two seconds where each is refused at once. */
  async assertAlwaysServed(): Promise<void> {
    const { visits, failuresInARow } = await this.#prober.stop()
    assert.ok(visits > 10, `${visits} visits`)
    assert.ok(failuresInARow <= 40, `${failuresInARow} requests in a row without an answer`)
  }

  async remove(): Promise<void> {
    await this.#prober.stop()
    await this.host.remove()
  }
}
