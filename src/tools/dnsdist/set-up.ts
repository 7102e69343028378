import { randomBytes } from 'node:crypto'
import { applyConfig } from './apply.ts'
import { rightsOf } from './rights.ts'
import { emptyBalancer } from './balancer.ts'
import { apiPath, balancerPath, consolePath } from './layout.ts'
import type { DnsdistParts } from './parts.ts'
import { includesOf, parseApi, renderApi, renderConsole } from './program.ts'
import { renderBalancer } from './render.ts'

const dnsPorts = [53, ...Array.from({ length: 100 }, (_each, index) => 5300 + index)]
const consolePorts = Array.from({ length: 100 }, (_each, index) => 5199 + index)
const apiPorts = Array.from({ length: 100 }, (_each, index) => 8083 + index)

/** Gives dnsdist a free address where its configuration names none, and includes the files of the panel. */
export async function setUp(parts: DnsdistParts): Promise<void> {
  const { host, layout, starter } = parts
  const text = (await host.files.read(layout.configPath)) ?? ''
  const needsAddress = !/^\s*(?:set|add)Local\(/m.test(text)
  // a dnsdist that its package has started has port 53 already, which is to stay its own
  if (needsAddress && (await starter.isRunning())) await starter.act('stop')
  const taken = await listeningPorts(parts)
  const rights = await rightsOf(parts)
  await host.files.makeDirectory(layout.directory, { ...rights, mode: 0o750 })
  if ((await host.files.facts(consolePath(layout))) === undefined) {
    const port = firstFree(consolePorts, taken)
    // a key of the configuration is that of its author, and there is only one
    const key = /^\s*(?:setKey|controlSocket)\(/m.test(text) ? '' : randomBytes(32).toString('base64')
    await host.files.write(consolePath(layout), renderConsole({ port, key }), { rights })
  }
  if (parseApi(await host.files.read(apiPath(layout))) === undefined) {
    const port = firstFree(apiPorts, taken)
    const key = randomBytes(24).toString('base64url')
    await host.files.write(apiPath(layout), renderApi({ port, key }, layout), { rights })
  }
  if ((await host.files.facts(balancerPath(layout))) === undefined)
    await host.files.write(balancerPath(layout), renderBalancer(emptyBalancer, layout.directory), { rights })
  const lines = includesOf(layout).filter((line) => !text.includes(line))
  if (needsAddress) lines.unshift(`setLocal("0.0.0.0:${firstFree(dnsPorts, taken)}")`)
  if (lines.length > 0) await applyConfig(parts, `${text.trimEnd()}\n${lines.join('\n')}\n`)
  if (!(await starter.isRunning())) await starter.act('start')
}

function firstFree(ports: readonly number[], taken: ReadonlySet<number>): number {
  const port = ports.find((each) => !taken.has(each))
  if (port === undefined) throw new Error(`the ports ${ports[0]} to ${ports.at(-1)} are all in use`)
  return port
}

/** The TCP and UDP ports that are bound on any address, according to proc(5). */
async function listeningPorts({ host: { machine } }: DnsdistParts): Promise<ReadonlySet<number>> {
  const tables = ['tcp', 'tcp6', 'udp', 'udp6'].map((name) => machine.text(`/proc/net/${name}`))
  const rows = (await Promise.all(tables)).flatMap((text) => text.split('\n').slice(1))
  return new Set(
    rows
      .flatMap((row) => /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) /.exec(row)?.[1] ?? [])
      .map((hex) => Number.parseInt(hex, 16)),
  )
}
