import { readFile, readdir } from 'node:fs/promises'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { poll } from '../harness/index.ts'
import type { Host, Panel } from '../harness/index.ts'
import { outerPanelPid } from './host-state.ts'

/**
 * Sends a request to a panel, kills the panel with SIGKILL at the given moment or when it has answered, and
 * restarts it; returns true if it had answered.
 */
export function killWhile(
  panel: Panel,
  send: () => Promise<unknown>,
  hasCome: () => boolean | Promise<boolean>,
): Promise<boolean> {
  return killAt(panel, send, async (isOver) => {
    while (!(await hasCome()) && !isOver()) await nextTurn()
  })
}

/** Like `killWhile`, but kills this long after the request was sent, answered or not. */
export function killAfter(panel: Panel, send: () => Promise<unknown>, delayMs: number): Promise<boolean> {
  return killAt(panel, send, () => delay(delayMs))
}

async function killAt(
  panel: Panel,
  send: () => Promise<unknown>,
  untilMoment: (isOver: () => boolean) => Promise<void>,
): Promise<boolean> {
  const pid = await outerPanelPid(panel.host)
  let isOver = false
  const asked = send()
    .then(
      () => true,
      () => false, // the connection broke with the panel
    )
    .finally(() => (isOver = true))
  await untilMoment(() => isOver)
  process.kill(pid, 'SIGKILL')
  const isAnswered = await asked
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

/** Kills with SIGKILL every confined program that works in the homes of a host now, and waits until they are dead. */
export async function killConfined(host: Host): Promise<void> {
  const killed = await confinedPids(host)
  for (const pid of killed) killPid(pid)
  await poll('the confined programs to be dead', 5_000, async () => {
    const left = await confinedPids(host) // a request that came late may have started another
    return killed.some((pid) => left.includes(pid)) ? undefined : true
  })
}

/** Process ids of this machine, not of the host. */
async function confinedPids(host: Host): Promise<readonly number[]> {
  const pids: number[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [cmdline, groups] = await Promise.all(
      ['cmdline', 'cgroup'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    ) // ended since it was listed
    if (
      cmdline?.startsWith('/run/hostreeve/node\0') &&
      groups?.includes(`-${process.pid}-`) &&
      groups.includes(`/${host.name}/`)
    )
      pids.push(Number(pid))
  }
  return pids
}

function killPid(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it ended since it was listed
  }
}
