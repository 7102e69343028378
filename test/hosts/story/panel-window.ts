import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../../browser/browser.ts'
import type { Panel } from '../harness/index.ts'
import { openForwardProxy } from './forward-proxy.ts'

/** A browser outside of a host that reaches its panel, and all its websites by their names. */
export class PanelWindow {
  readonly context: BrowserContext
  readonly page: Page
  /** The address of the panel. */
  readonly baseUrl: string
  readonly #proxy: Server
  readonly #browser: Browser

  private constructor(proxy: Server, browser: Browser, context: BrowserContext, page: Page) {
    this.#proxy = proxy
    this.#browser = browser
    this.context = context
    this.page = page
    this.baseUrl = addressOf(proxy).replace('127.0.0.1', 'localhost')
  }

  static async open(panel: Panel): Promise<PanelWindow> {
    const proxy = await openForwardProxy(panel.host, Number(panel.environment.HOSTREEVE_PORT))
    const browser = await openBrowser()
    const context = await browser.newContext({
      viewport: { width: 1280, height: 860 },
      proxy: { server: addressOf(proxy) },
    })
    context.setDefaultTimeout(60_000)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    return new PanelWindow(proxy, browser, context, await context.newPage())
  }

  async close(): Promise<void> {
    await this.#browser.close()
    this.#proxy.close()
    this.#proxy.closeAllConnections()
  }
}

const addressOf = (proxy: Server) => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
