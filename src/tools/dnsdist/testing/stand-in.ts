import { readFileSync } from 'node:fs'
import type { Files } from '../../../host/files.ts'
import type { Script } from '../../../host/testing/scripted-run.ts'
import { balancerPath, debianLayout } from '../layout.ts'
import type { DnsdistStarter } from '../program.ts'

/** What a dnsdist has read of its files. */
interface Loaded {
  readonly config: string
  readonly rules: string
}

/** A stand-in for a running dnsdist: it serves what its files contained at its last start. */
export interface StandInDnsdist {
  readonly starter: DnsdistStarter
  /** Null while it is not running. */
  served(): Loaded | null
  /** How often it was started. */
  starts(): number
  /** Answers the commands of its console as it does for those of the panel. */
  readonly console: Script
}

/** Creates a stand-in over the files of a temporary root. */
export function standInDnsdist(files: Files): StandInDnsdist {
  const load = (): Loaded => ({
    config: readFileSync(files.real(debianLayout.configPath), 'utf8'),
    rules: readFileSync(files.real(balancerPath(debianLayout)), 'utf8'),
  })
  let startedAt = Date.now()
  let starts = 1
  let running: Loaded | null = load()
  const isCurrent = () => JSON.stringify(running) === JSON.stringify(load())
  return {
    served: () => running,
    starts: () => starts,
    console: ([program, option, , execute, line = '']) => {
      if (program !== 'dnsdist' || option !== '-C' || execute !== '-e') return undefined
      if (running === null) return { code: 1 }
      if (line === 'return hostreeve_generation') return { stdout: generationIn(running.rules) }
      const chunk = textOf(/^dofile\("(.*)"\)$/.exec(line)?.[1] ?? '')
      // what is on disk is what the chunk leads to
      if (generationIn(chunk) === generationIn(load().rules)) running = { ...running, rules: load().rules }
      return {}
    },
    starter: {
      isRunning: async () => running !== null,
      startedAt: async () => {
        if (running === null) return undefined
        // the clock of a file system is too coarse to distinguish a start from a write a moment later
        return isCurrent() ? startedAt : 0
      },
      act: async (verb) => {
        startedAt = Math.max(Date.now(), startedAt + 1)
        starts += verb === 'stop' ? 0 : 1
        running = verb === 'stop' ? null : load()
      },
    },
  }
}

const generationIn = (text: string): string => /^hostreeve_generation = "(.*)"$/m.exec(text)?.[1] ?? ''

/** Checks a configuration and what it includes as dnsdist does, of which it knows `error(…)`. */
export const scriptCheck: Script = ([program, option, , path]) => {
  if (program !== 'dnsdist' || option !== '--check-config' || path === undefined) return undefined
  const config = readFileSync(path, 'utf8')
  const included = [...config.matchAll(/^dofile\("(.*)"\)$/gm)].map(([, each = '']) => textOf(each))
  const message = /error\("(.*)"\)/.exec([config, ...included].join('\n'))?.[1]
  return message === undefined ? {} : { code: 1, stderr: `Fatal error: ${message}` }
}

/** An included file by its real path; those below the root are not checked. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
