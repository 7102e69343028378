import { openFiles } from '../../host/files.ts'
import { readBind } from './config/bind-line.ts'
import type { HaproxyLayout } from './layout.ts'
import type { HaproxyProgram } from './program.ts'
import { isTaken } from './socket.ts'

/**
 * Says where a running HAProxy would find a port taken that a candidate names and the live configuration does not; undefined when
 * it would not. A reload finds that out too, but keeps every visitor out for the two seconds in which it tries again.
 */
export async function portTaken({ layout, program }: Running, candidatePath: string): Promise<string | undefined> {
  if ((await program.running()).length === 0) return undefined
  const held = new Set((await placesIn(layout.configPath)).map(({ port }) => port))
  for (const { line, address, port } of await placesIn(candidatePath))
    if (!held.has(port) && (await isTaken(address, port)))
      return `Binding [${candidatePath}:${line}] : cannot bind socket (Address already in use) for [${address}:${port}]`
  return undefined
}

interface Running {
  readonly layout: HaproxyLayout
  readonly program: HaproxyProgram
}

interface Place {
  readonly line: number
  readonly address: string
  readonly port: number
}

/** The plain addresses that bind lines name; sockets, ranges and what stands in another namespace are HAProxy's alone to judge. */
async function placesIn(path: string): Promise<readonly Place[]> {
  const text = (await openFiles().read(path)) ?? ''
  return text.split('\n').flatMap((line, index): Place[] => {
    if (!/^[ \t]*bind[ \t]/.test(line) || line.includes(' namespace ')) return []
    const { address, port } = readBind(line) ?? { address: '', port: null }
    const numeric = address === '*' ? '0.0.0.0' : address
    return port === null || !/^[0-9.]+$|^[0-9a-f.]*:[0-9a-f:.]*$/i.test(numeric) ? [] : [{ line: index + 1, address: numeric, port }]
  })
}
