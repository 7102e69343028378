import { dirname } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { openTestPanel } from '../support/panel.ts'
import { scriptPages } from '../schema/scripts.ts'
import { openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

/** Opens the settings of a panel over a scripted host, as a superuser sees them, and what presses their buttons. */
export async function openHostPanel(t: TestContext, scripts: readonly Script[]) {
  const panel = await openTestPanel({ scripts: [...scripts, ...scriptPages()] })
  t.after(() => panel.close())
  const web = await serveWithPages(panel, `${dirname(entry)}/web`)
  t.after(() => web.close())
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, complaints } = await openPage(browser)
  await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
  await page.goto(`${web.baseUrl}/settings`)
  const dialog = page.getByRole('dialog').last()
  const within = (scope: typeof page | typeof dialog) => ({
    press: (name: string) => scope.getByRole('button', { name, exact: true }).click(),
    fill: (name: string, value: string) => scope.getByRole('textbox', { name, exact: true }).fill(value),
  })
  return {
    panel,
    page,
    complaints,
    dialog,
    onPage: within(page),
    inDialog: within(dialog),
    openTab: (name: string) =>
      page
        .getByRole('navigation', { name: 'Pages of the settings' })
        .getByRole('link', { name, exact: true })
        .click(),
  }
}
