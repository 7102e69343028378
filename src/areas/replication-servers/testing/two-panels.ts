import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { openTestPanel, type Person, type TestPanel } from '../../../../test/support/panel.ts'
import { until } from '../../../../test/support/until.ts'
import { makeCertificate } from '../../../host/fetch/testing/certificate.ts'

/** Answers a request instead of the panel; false to leave it to the panel. */
type Answering = (request: IncomingMessage, response: ServerResponse) => boolean

/** The SHA-256 of the public key of a certificate, in base64. */
function publicKeyOf(certificate: string): string {
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(spki).digest('base64')
}

/** Two panels, the second of which the first reaches by TLS; either can be closed and opened again over its store. */
export class TwoPanels {
  first!: TestPanel
  second!: TestPanel
  readonly #folders = ['first', 'second'].map((name) => mkdtempSync(`${tmpdir()}/hostreeve-${name}-`))
  #front!: Server
  #pair!: { readonly cert: string; readonly key: string }
  port = 0
  publicKey = ''
  /** Stands between the panels. */
  answer: Answering = () => false

  async open(): Promise<void> {
    this.first = await this.#openPanel(0)
    this.second = await this.#openPanel(1)
    await this.serve(await makeCertificate('localhost'))
  }

  async close(): Promise<void> {
    await this.stopServing()
    await this.first?.close()
    await this.second?.close()
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
  }

  async #openPanel(at: number): Promise<TestPanel> {
    const panel = await openTestPanel({ dataDir: this.#folders[at] as string })
    await panel.app.ready()
    await panel.start()
    return panel
  }

  async reopenFirst(): Promise<void> {
    await this.first.close()
    this.first = await this.#openPanel(0)
  }

  async reopenSecond(): Promise<void> {
    const { answer } = this
    // nothing listens while it is closed
    this.answer = (request) => {
      request.destroy()
      return true
    }
    this.cut()
    await this.second.close()
    this.second = await this.#openPanel(1)
    this.answer = answer
  }

  /** Serves the second panel with a certificate, at the same port as before. */
  async serve(pair = this.#pair): Promise<void> {
    this.#pair = pair
    this.publicKey = publicKeyOf(pair.cert)
    this.#front = createServer(pair, (request, response) => {
      if (!this.answer(request, response)) this.second.app.routing(request, response)
    })
    this.#front.listen(this.port, '127.0.0.1')
    await once(this.#front, 'listening')
    this.port = (this.#front.address() as AddressInfo).port
  }

  async stopServing(): Promise<void> {
    if (!this.#front?.listening) return
    this.cut()
    this.#front.close()
    await once(this.#front, 'close')
  }

  /** Cuts what is under way. */
  cut(): void {
    this.#front.closeAllConnections()
  }

  /** A key of a superuser of the second panel. */
  async key(limits: object = {}): Promise<string> {
    const { status, data, text } = await this.second.request('POST', '/api/auth/api-keys', {
      as: this.second.admin,
      body: { name: 'mirror', ...limits },
    })
    if (status >= 300) throw new Error(text)
    return data.key
  }

  /** Adds the second panel to the servers of the first, and tests it. */
  async connect(categories: readonly string[], key?: string): Promise<number> {
    const body = { name: 'second', host: '127.0.0.1', port: this.port, api_key: key ?? (await this.key()) }
    const { id } = await this.must('POST', '', body)
    const { status, message } = await this.must('POST', `/${id}/test`)
    if (status !== 'active') throw new Error(message)
    const wanted = Object.fromEntries(categories.map((category) => [category, true]))
    await this.must('PUT', `/${id}/categories`, { categories: wanted })
    return id
  }

  ask(method: string, path: string, body?: unknown, as: Person = this.first.admin) {
    return this.first.request(method, `/api/replication-servers${path}`, {
      as,
      ...(body !== undefined && { body }),
    })
  }

  async must(method: string, path: string, body?: unknown): Promise<any> {
    const { status, data, text } = await this.ask(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${text}`)
    return data
  }

  async log(id: number, query = ''): Promise<any[]> {
    return this.must('GET', `/${id}/action-log?limit=500${query}`)
  }

  /** Waits until nothing waits for a server; what is put off is tried at once. */
  async delivered(id: number): Promise<any[]> {
    const isDelivered = async () => {
      await this.hurry()
      return (await this.must('GET', `/${id}`)).pending === 0
    }
    await until(isDelivered, { everyMs: 50 }).catch(async (cause: unknown) => {
      const [next] = (await this.log(id, '&status=pending')).toReversed()
      throw new Error(`not delivered: ${JSON.stringify([next, await this.must('GET', `/${id}`)])}`, { cause })
    })
    return this.log(id)
  }

  /** Lets what is put off be tried at once. */
  async hurry(): Promise<void> {
    await this.first.store.db.updateTable('replication_actions').set({ next_try: '' }).execute()
  }
}
