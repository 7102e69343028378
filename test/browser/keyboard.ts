import type { Locator, Page } from 'playwright-core'

/** Marks the usable controls in the page's content and returns their number. */
const mark = `(() => {
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]'
  const isUsable = (each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ checkVisibilityCSS: true }) &&
    each.getAttribute('aria-hidden') !== 'true' && !each.closest('[inert]') && !isOtherOfGroup(each)
  // of a group of radio buttons only one takes the focus; the arrows go to the others
  const isOtherOfGroup = (each) => each.type === 'radio' && !each.checked &&
    [...document.getElementsByName(each.name)].some((other) => other.checked)
  const controls = [...document.querySelectorAll('main ' + selector.replaceAll(', ', ', main '))].filter(isUsable)
  controls.forEach((each, at) => each.setAttribute('data-reach', String(at)))
  document.querySelector('main').focus()
  return controls.length
})()`

const focused = `document.activeElement?.getAttribute('data-reach') ?? null`
const isInEditor = `document.activeElement?.matches('.cm-content') ?? false`
const named = `[...document.querySelectorAll('[data-reach]')].map((each) => each.outerHTML.slice(0, 160))`

/** Presses Tab, which indents within a code editor: there Escape comes before it, as the editor says. */
async function pressTab(page: Page): Promise<void> {
  if (await page.evaluate<boolean>(isInEditor)) await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
}

/** Presses Tab through the content of a page; returns the controls that were never focused. */
export async function unreachableByKeyboard(page: Page): Promise<readonly string[]> {
  const count = await page.evaluate<number>(mark)
  const reached = new Set<string>()
  for (let presses = 0; reached.size < count && presses < 2 * count + 10; presses++) {
    await pressTab(page)
    const at = await page.evaluate<string | null>(focused)
    if (at !== null) reached.add(at)
  }
  const controls = await page.evaluate<readonly string[]>(named)
  await page.evaluate('document.activeElement?.blur()') // hides elements that are visible only on focus
  return controls.filter((_, at) => !reached.has(String(at)))
}

const place = `(() => {
  const { left, right } = document.activeElement.getBoundingClientRect()
  return [document.activeElement.outerHTML.slice(0, 160), right <= 0 || left >= innerWidth]
})()`

/** Presses Tab ten times from the focused element; returns focused controls that are outside the viewport. */
export async function focusedOutside(page: Page): Promise<readonly string[]> {
  const outside: string[] = []
  for (let presses = 0; presses < 10; presses++) {
    await pressTab(page)
    const [control, isOutside] = await page.evaluate<readonly [string, boolean]>(place)
    if (isOutside) outside.push(control)
  }
  return outside
}

/** Presses Tab until a control has the focus; fails if it is not reached. */
export async function tabTo(control: Locator): Promise<void> {
  const page = control.page()
  for (let presses = 0; presses < 100; presses++) {
    if ((await control.and(page.locator(':focus')).count()) > 0) return
    await pressTab(page)
  }
  throw new Error(`100 presses of Tab do not reach ${control.toString()}`)
}
