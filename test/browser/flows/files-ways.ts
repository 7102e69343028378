import { until } from '../../support/until.ts'
import type { Visit } from '../browser.ts'
import type { FilesPanel } from '../files-panel.ts'
import { gitOf } from './files.ts'
import { signIn } from './sign-in.ts'

/** Holds requests back until they are released or aborted. */
export async function hold(
  { page }: Visit,
  which: RegExp,
): Promise<{ release(): Promise<void>; fail(): Promise<void> }> {
  const held: { continue(): Promise<void>; abort(): Promise<void> }[] = []
  await page.route(which, (route) => void held.push(route))
  const end = async (how: 'continue' | 'abort') => {
    // without a route to catch it, a request on its way is not reported to the page's listeners
    await until(() => held.length > 0, { awaited: `a request that matches ${which}` })
    for (const route of held) await route[how]().catch(() => undefined) // already cancelled
    await page.unroute(which)
  }
  return { release: () => end('continue'), fail: () => end('abort') }
}

/** Stops holding requests back. */
export async function letGo({ page }: Visit): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

/** Replaces the file pickers by a virtual disk with empty files that, like a browser, grants one picker per click. */
export async function giveDisk({ page }: Visit, taken: readonly string[] = []): Promise<void> {
  await page.evaluate(`(async () => {
    const disk = await (await navigator.storage.getDirectory()).getDirectoryHandle('disk', { create: true })
    for (const name of ${JSON.stringify(taken)}) await disk.getFileHandle(name, { create: true })
    globalThis.asked = 0
    let wasActive = 0
    addEventListener('click', () => wasActive++, true)
    let used = 0
    const once = (give) => async (options) => {
      if (used >= wasActive) throw new DOMException('Must be handling a user gesture', 'SecurityError')
      used = wasActive
      globalThis.asked++
      return give(disk, options)
    }
    globalThis.showSaveFilePicker = once((disk, { suggestedName }) => disk.getFileHandle(suggestedName, { create: true }))
    globalThis.showDirectoryPicker = once((disk) => disk)
  })()`)
}

interface Disk {
  readonly names: readonly string[]
  readonly sizes: readonly number[]
  /** The number of picker dialogs. */
  readonly asked: number
}

/** Returns the files on the virtual disk. */
export function diskOf({ page }: Visit): Promise<Disk> {
  return page.evaluate<Disk>(`(async () => {
    const disk = await (await navigator.storage.getDirectory()).getDirectoryHandle('disk', { create: true })
    const found = []
    for await (const [name, file] of disk.entries()) found.push([name, (await file.getFile()).size])
    found.sort(([a], [b]) => (a < b ? -1 : 1))
    return { names: found.map(([name]) => name), sizes: found.map(([, size]) => size), asked: globalThis.asked }
  })()`)
}

/** Deletes the virtual disk. */
export async function emptyDisk({ page }: Visit): Promise<void> {
  await page.evaluate(
    "navigator.storage.getDirectory().then((all) => all.removeEntry('disk', { recursive: true }))",
  )
}

/** Waits until an element of the page has the focus, not the document as a whole. */
export async function keyboardIsOnPage({ page }: Visit): Promise<void> {
  await page.locator('#content:focus, #content :focus').waitFor()
}

/** Signs in as another user. */
export async function signInAgain(visit: Visit, person: Parameters<typeof signIn>[1]): Promise<void> {
  await visit.page.context().clearCookies()
  await signIn(visit, person)
}

/** Creates a repository with a conflicting merge in progress. */
export function beginMerge({ at, put }: FilesPanel, folder: string, uid: number): void {
  const git = (...args: readonly string[]) =>
    gitOf(at(folder), uid, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args)
  const commit = (text: string) => {
    put(`${folder}/index.html`, text)
    git('add', '.')
    git('commit', '-q', '-m', text)
  }
  put(`${folder}/index.html`, '')
  git('init', '-q', '-b', 'main')
  commit('one')
  git('checkout', '-q', '-b', 'side')
  commit('two')
  git('checkout', '-q', 'main')
  commit('three')
  try {
    git('merge', 'side')
  } catch {
    return // the conflict is expected
  }
  throw new Error('The merge did not conflict')
}
