import type { Locator } from 'playwright-core'
import type { Visit } from '../browser.ts'
import { openArea } from './sign-in.ts'

type Page = 'Overview' | 'Statistics' | 'Configuration' | 'Certificates' | 'Backups'

/** Opens a page of the load balancer. */
export async function openLoadBalancer(visit: Visit, page: Page = 'Overview'): Promise<void> {
  await visit.page.goto(visit.baseUrl)
  await openArea(visit, 'Load balancer')
  await visit.page
    .getByRole('navigation', { name: 'Pages of the load balancer' })
    .getByRole('link', { name: page })
    .click()
  await visit.page
    .getByRole('link', { name: page, exact: true })
    .and(visit.page.locator('[aria-current=page]'))
    .waitFor()
}

/** Opens the configuration and waits for its text, so that a later change of the file is one since it was opened. */
export async function openConfiguration(visit: Visit): Promise<void> {
  await openLoadBalancer(visit, 'Configuration')
  await visit.page.getByRole('textbox', { name: 'Configuration of HAProxy' }).waitFor()
}

/** Returns the element of a server in the diagram. */
export const serverIn = ({ page }: Visit, backend: string, server: string): Locator =>
  page
    .getByRole('article', { name: `Backend ${backend}` })
    .getByRole('listitem', { name: `Server ${server}` })

/** Disables or enables a server by one click. */
export async function setServerState(
  visit: Visit,
  at: { readonly backend: string; readonly server: string },
  state: 'Ready' | 'Drain' | 'Maint',
) {
  const button = serverIn(visit, at.backend, at.server).getByRole('button', { name: state })
  await button.click()
  await button.and(visit.page.locator('[aria-pressed=true]')).waitFor()
}

/** Chooses an action of a card in the diagram. */
export async function choose({ page }: Visit, card: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for the ${card}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Previews the change of the open form and returns the plan's text. */
export async function look({ page }: Visit): Promise<string> {
  await page.getByRole('button', { name: 'Review changes' }).click()
  return planIn(page.getByRole('dialog').last())
}

/** Confirms the plan that is shown. */
export async function confirm({ page }: Visit, label: string): Promise<void> {
  const button = page.getByRole('dialog').last().getByRole('button', { name: label, exact: true })
  await button.and(page.locator(':enabled')).waitFor()
  await button.click()
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
}

/** Returns the text of a dialog once it shows its plan. */
export async function planIn(dialog: Locator): Promise<string> {
  await dialog.getByRole('list', { name: 'Steps' }).waitFor()
  return (await dialog.textContent()) ?? ''
}

/** Types at the end of the configuration. */
export async function writeAtEnd({ page }: Visit, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Configuration of HAProxy' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(text)
}
