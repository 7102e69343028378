import { execFile } from 'node:child_process'
import { chownSync, closeSync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { type Figure, median } from '../figures.ts'
import { type Home, makeHome, needsRoot } from '../homes.ts'
import { type ServerProcess, startPanel, startServer } from '../http/server-process.ts'

const exec = promisify(execFile)
const script = (name: string) => new URL(name, import.meta.url).pathname

/** Throughput of a download through the file manager, as a ratio to a plain stream of node:http. */
export async function measureDownload(isShort: boolean): Promise<readonly Figure[]> {
  if (!needsRoot('downloading')) return []
  const home = makeHome()
  const megabytes = isShort ? 256 : 1024
  const file = makeFile(home, megabytes)
  const raw = await startServer(script('raw-server.ts'), [file])
  const panel = await startPanel(script('panel-server.ts'), [home.path, String(home.uid)])
  try {
    for (const server of [raw, panel]) await rate(server, megabytes)
    const pairs: { readonly raw: number; readonly panel: number }[] = []
    for (let round = 0; round < (isShort ? 3 : 5); round++)
      pairs.push({ raw: await rate(raw, megabytes), panel: await rate(panel, megabytes) })
    const value = median(pairs.map((pair) => pair.panel / pair.raw))
    const detail = `${median(pairs.map((pair) => pair.panel)).toFixed(0)} against ${median(pairs.map((pair) => pair.raw)).toFixed(0)} MB/s`
    return [
      {
        what: `download of ${megabytes} MB / plain node:http stream (rate)`,
        value,
        unit: 'x',
        bound: 0.8,
        isMinimum: true,
        loose: 0.4,
        detail,
      },
    ]
  } finally {
    await raw.stop()
    await panel.stop()
    home.remove()
  }
}

function makeFile(home: Home, megabytes: number): string {
  const path = `${home.path}/large.bin`
  const block = Buffer.alloc(1024 * 1024, 'a megabyte of text ')
  const descriptor = openSync(path, 'w', 0o600)
  for (let written = 0; written < megabytes; written++) writeSync(descriptor, block)
  closeSync(descriptor)
  chownSync(path, home.uid, home.uid)
  return path
}

/** Megabytes a second of one download, by a process of its own. */
async function rate(server: ServerProcess, megabytes: number): Promise<number> {
  const { stdout } = await exec(process.execPath, [script('fetch.ts'), server.url, server.token], {
    timeout: 300_000,
  })
  const { status, bytes, ms } = JSON.parse(stdout) as { status: number; bytes: number; ms: number }
  if (status !== 200 || bytes !== megabytes * 1024 * 1024)
    throw new Error(`the download answered ${status} with ${bytes} bytes`)
  return megabytes / (ms / 1000)
}
