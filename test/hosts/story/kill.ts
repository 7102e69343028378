import { setImmediate as nextTurn } from 'node:timers/promises'
import { poll } from '../harness/index.ts'
import type { Panel } from '../harness/index.ts'
import { outerPanelPid } from './host-state.ts'

/** Sends something to a panel, kills the panel with SIGKILL when the moment has come, and starts it again; gives whether it had answered. */
export async function killWhile(panel: Panel, send: () => Promise<unknown>, hasCome: () => boolean): Promise<boolean> {
  const pid = await outerPanelPid(panel.host)
  let isAnswered = false
  const asked = send().then(
    () => (isAnswered = true),
    () => {}, // the connection broke with the panel
  )
  while (!hasCome() && !isAnswered) await nextTurn()
  process.kill(pid, 'SIGKILL')
  await asked
  await poll('the panel to be dead', 5_000, async () =>
    (await panel.host.exec(['systemctl', 'is-active', '--quiet', 'hostreeve'])).code === 0 ? undefined : true,
  )
  await panel.start()
  return isAnswered
}

/** A moment that comes this long after now. */
export function after(delayMs: number): () => boolean {
  const due = performance.now() + delayMs
  return () => performance.now() >= due
}
