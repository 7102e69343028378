import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Figure, median } from '../figures.ts'
import { makeHome, needsRoot } from '../homes.ts'
import { type ServerProcess, startPanel, startServer } from '../http/server-process.ts'

const exec = promisify(execFile)
const script = (name: string) => new URL(name, import.meta.url).pathname

/** Throughput of an upload through the file manager, as a ratio to plain streams of node:http and node:fs that sync the file too. */
export async function measureUpload(isShort: boolean): Promise<readonly Figure[]> {
  if (!needsRoot('uploading')) return []
  const home = makeHome()
  const megabytes = isShort ? 128 : 512
  const raw = await startServer(script('raw-receiver.ts'), [`${home.folder}/raw.bin`])
  const panel = await startPanel(script('panel-receiver.ts'), [home.path, String(home.uid)])
  try {
    for (const server of [raw, panel]) await rate(server, megabytes)
    const pairs: { readonly raw: number; readonly panel: number }[] = []
    for (let round = 0; round < (isShort ? 3 : 5); round++)
      pairs.push({ raw: await rate(raw, megabytes), panel: await rate(panel, megabytes) })
    const value = median(pairs.map((pair) => pair.panel / pair.raw))
    const detail = `${median(pairs.map((pair) => pair.panel)).toFixed(0)} against ${median(pairs.map((pair) => pair.raw)).toFixed(0)} MB/s`
    return [
      {
        what: `upload of ${megabytes} MB / plain node:http stream (rate)`,
        value,
        unit: 'x',
        bound: 0.7,
        isMinimum: true,
        loose: 0.35,
        detail,
      },
    ]
  } finally {
    await raw.stop()
    await panel.stop()
    home.remove()
  }
}

/** Megabytes a second of one upload, by a process of its own. */
async function rate(server: ServerProcess, megabytes: number): Promise<number> {
  const { stdout } = await exec(
    process.execPath,
    [script('send.ts'), server.url, server.token, String(megabytes)],
    { timeout: 300_000 },
  )
  const { status, ms } = JSON.parse(stdout) as { status: number; ms: number }
  if (status !== 201) throw new Error(`the upload answered ${status}`)
  return megabytes / (ms / 1000)
}
