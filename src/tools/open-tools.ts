import type { Detected } from '../core/area.ts'
import type { AnyStepKind } from '../core/change.ts'
import { type Found, type Need, openEach, type OpenedOf, type OptionsOf } from '../core/tool.ts'
import type { Host } from '../host/index.ts'
import * as listed from './index.ts'
import type { Program } from './program.ts'
import { type ProgramSteps, programSteps } from './program-steps.ts'
import type { Tool } from './tool.ts'
import type { ManagedFiles } from './tool-files.ts'

type List = Readonly<Record<string, Tool<string, any, any>>>

/** The names by which areas may need the tools of a list. */
type NamesOf<ToolList extends List> = ToolList[keyof ToolList]['needed'][number]

/** The tools of a list on a host, each by its key, and what the panel asks of all of them. */
export type ToolsOf<ToolList extends List> = OpenedOf<ToolList> & {
  readonly programs: readonly Program[]
  /** The steps that change what programs the host has. */
  readonly programSteps: ProgramSteps
  /** All step kinds, for resuming stored changes by kind name. */
  readonly steps: readonly AnyStepKind[]
  /** The files of all tools, for copies of them. */
  readonly managed: readonly ManagedFiles[]
  /** Reports the tool that an area needs: of alternatives or versions, the first one that works, else the first that is installed. */
  detect(need: Need<NamesOf<ToolList>>): Promise<Detected>
  /** Makes files and running programs consistent again after the panel was killed during a change. */
  reconcile(): Promise<void>
}

/** The programs that the panel drives, and all kinds of steps by which it changes the host. */
export type Tools = ToolsOf<typeof listed>

/** The names by which areas may need tools. */
export type ToolName = NamesOf<typeof listed>

/** Opens the tools of the panel on a host. */
export function openTools(host: Host, options: OptionsOf<typeof listed> = {}): Tools {
  return openList(listed, host, options)
}

/** Opens a list of tools on a host. */
export function openList<ToolList extends List>(
  list: ToolList,
  host: Host,
  options: OptionsOf<ToolList>,
): ToolsOf<ToolList> {
  const { opened, all } = openEach(list, host, options)
  const programs = all.flatMap(({ installation }) => installation ?? [])
  const ofPrograms = programSteps(host, programs)
  return {
    ...opened,
    programs,
    programSteps: ofPrograms,
    steps: [...Object.values(ofPrograms), ...all.flatMap(({ steps }) => Object.values(steps))],
    managed: all.flatMap(({ managed }) => managed),
    detect: (need: Need<string>) => detect(all, typeof need === 'string' ? [need] : need.oneOf),
    reconcile: async () => {
      if (process.getuid?.() !== 0) return
      const failures: unknown[] = []
      for (const each of all) await each.reconcile().catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw new AggregateError(failures, String(failures[0]))
    },
  }
}

interface Detectable {
  readonly name: string
  readonly installation: Program | undefined
  detect(): Promise<Found>
}

async function detect(all: readonly Detectable[], names: readonly string[]): Promise<Detected> {
  const chosen = names.flatMap((wanted) => {
    const named = all.filter(({ name }) => name === wanted || name.startsWith(`${wanted}@`))
    if (named.length === 0) throw new Error(`no tool is named ${wanted}`)
    return named
  })
  const found = await Promise.all(
    chosen.map(
      async (each) =>
        (await each.installation?.detect()) ?? {
          program: each.name,
          ...(await each.detect()),
          installable: false,
        },
    ),
  )
  const best = found.find(({ healthy }) => healthy) ?? found.find(({ present }) => present) ?? found[0]!
  if (best.present || found.length === 1) return best
  return { ...best, reason: `one of these is needed: ${found.map(({ program }) => program).join(', ')}` }
}
