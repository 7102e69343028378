import { type Balancer, balancerLineIn } from './balancer.ts'
import { balancerPath } from './layout.ts'
import { luaString } from './lua.ts'
import type { DnsdistParts } from './parts.ts'
import { includesOf } from './program.ts'
import { rightsOf } from './rights.ts'
import { generationOf, generationOfLine, renderLiveChange } from './render.ts'

/**
 * True if a change of the balancer can be made in the running dnsdist: it serves what the file contains, and no rule of
 * the configuration follows those of the panel, whose place among them a restart would change.
 */
export async function canChangeLive(parts: DnsdistParts): Promise<boolean> {
  const { host, layout, program, starter } = parts
  if (!(await starter.isRunning())) return false
  const config = (await host.files.read(layout.configPath)) ?? ''
  const rest = config.split(`${includesOf(layout).at(-1)}\n`).at(1)
  if (rest === undefined || rest.split('\n').some((line) => !/^\s*(--.*)?$/.test(line))) return false
  const line = balancerLineIn((await host.files.read(balancerPath(layout))) ?? '')
  return line !== undefined && (await program.generation()) === generationOfLine(line)
}

/** Makes a change in the running dnsdist through its console; true if dnsdist then serves the new balancer. */
export async function changeLive(parts: DnsdistParts, from: Balancer, to: Balancer): Promise<boolean> {
  const { host, layout, program } = parts
  const text = renderLiveChange(from, to, layout.directory)
  const rights = await rightsOf(parts)
  const chunk = await host.files.prepare(`${layout.directory}/change.lua`, text, { rights })
  try {
    await program.command(`dofile(${luaString(chunk.preparedPath)})`)
  } finally {
    await chunk.discard()
  }
  return (await program.generation()) === generationOf(to)
}
