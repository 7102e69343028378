/**
 * A clock: `node clock.ts PATH DEADLINE_MS` waits until the deadline, then runs the commands in the directory
 * `PATH.armed`, the latest first. It runs without the panel, and loads nothing of it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const [, , path = '', deadlineMs] = process.argv
const commandMs = 60_000

if (await isFirst('setting', 'armed')) {
  await sleep(Math.max(0, Number(deadlineMs) - Date.now()))
  if (await isFirst('armed', 'struck')) {
    for (const file of await commandFiles()) await runCommand(file)
    await rename(`${path}.struck`, `${path}.done`)
  }
}

/** False if the panel has renamed the directory before. */
async function isFirst(from: string, to: string): Promise<boolean> {
  try {
    await rename(`${path}.${from}`, `${path}.${to}`)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

async function commandFiles(): Promise<readonly string[]> {
  const names = (await readdir(`${path}.struck`)).filter((name) => /^\d+\.json$/.test(name))
  return names.toSorted((one, other) => Number.parseInt(other) - Number.parseInt(one))
}

/** A command that fails does not keep the others from running. */
async function runCommand(file: string): Promise<void> {
  try {
    const [program, ...args] = JSON.parse(await readFile(`${path}.struck/${file}`, 'utf8'))
    const child = spawn(program, args, {
      cwd: '/',
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: commandMs,
      killSignal: 'SIGKILL',
    })
    const [code, signal] = await once(child, 'exit')
    if (code !== 0) console.error(`${program} ended with ${code ?? signal}`)
  } catch (error) {
    console.error(error)
  }
}
