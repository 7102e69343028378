import { poll } from '../../core/poll.ts'
import type { Files } from '../files.ts'
import type { Services } from '../services.ts'
import type { ServiceVerb } from '../services/driver.ts'
import { changedAt, isOlder } from './edited-file.ts'
import type { OwnedTool } from './tool.ts'

/**
 * Reloads a program, and checks from outside what it has loaded: the exit status of a reload proves nothing.
 */
export interface Proof {
  /** The file that names the generation which the panel has written. */
  readonly generation: OwnedTool['generation']
  isRunning(): Promise<boolean>
  /** Loads the generation that was written to the file; returns the reason if the program does not serve it within its time. */
  load(generation: string): Promise<string | undefined>
  /** True if the running program has loaded the file as it is now. */
  hasLoaded(path: string): Promise<boolean>
}

interface ByGeneration {
  /** The file from which the program reads the generation that it serves. */
  readonly path: string
  /** The content of that file in the program's own syntax; the generation alone by default. */
  readonly render?: (generation: string) => string
  readonly parse?: (content: string) => string | undefined
  /** Returns the generation that the running program reports; undefined when it does not run or was given none. */
  readonly served: () => Promise<string | undefined>
  readonly isRunning: () => Promise<boolean>
  readonly reload: () => Promise<void>
  readonly limitMs?: number
}

const defaultLimitMs = 10_000
const everyMs = 20

/** Proves a reload by the generation that the program reports. */
export function byGeneration(files: Files, draft: ByGeneration): Proof {
  const { path, served, isRunning, reload, limitMs = defaultLimitMs } = draft
  const { render = (generation) => `${generation}\n`, parse = (content) => content.trim() } = draft
  return {
    generation: { path, render, parse, served },
    isRunning,
    load: async (generation) => {
      await reload()
      const isServed = await poll(async () => ((await served()) === generation ? true : undefined), {
        limitMs,
        everyMs,
      })
      return isServed
        ? undefined
        : `the program kept its old configuration for ${Math.round(limitMs / 1000)} s`
    },
    hasLoaded: async (file) => {
      const marker = await files.read(path)
      if (marker === undefined) return false
      return (await served()) === parse(marker) && (await isOlder(files, file, await changedAt(files, path)))
    },
  }
}

interface ByServiceStart {
  readonly files: Files
  readonly services: Services
  /** The name of the service. */
  readonly service: string
  /** Returns undefined once the program does its work, such as answering on its port, and the reason until then. */
  readonly probe: () => Promise<string | undefined>
  /** `reload` where the service starts anew for it. Default: restart. */
  readonly verb?: Extract<ServiceVerb, 'restart' | 'reload'>
  readonly limitMs?: number
}

/** Wall clock and monotonic clock are read one after the other. */
const toleranceMs = 2
const markers = '/var/lib/hostreeve/generations'

/**
 * Proves a reload of a program that cannot name a generation: its service was started after the files were put
 * in place, and it does its work.
 */
export function byServiceStart(name: string, draft: ByServiceStart): Proof {
  const { files, services, service, probe, verb = 'restart', limitMs = defaultLimitMs } = draft
  const path = `${markers}/${name}`
  const parse = (content: string) => content.trim()
  const hasLoaded = async (file: string) => {
    const startedAt = await services.startedAt(service)
    return startedAt !== undefined && (await isOlder(files, file, startedAt + toleranceMs))
  }
  return {
    generation: {
      path,
      render: (generation) => `${generation}\n`,
      parse,
      served: async () => ((await hasLoaded(path)) ? parse((await files.read(path)) ?? '') : undefined),
    },
    isRunning: async () => (await services.startedAt(service)) !== undefined,
    load: async () => {
      const before = (await services.startedAt(service)) ?? 0
      await services.act(service, verb)
      let reason: string | undefined = 'it was not started anew'
      const attempt = async () => {
        const now = await services.startedAt(service)
        if (now === undefined) reason = 'it does not run'
        if (now === undefined || now < before + toleranceMs) return undefined
        reason = await probe()
        return reason === undefined ? true : undefined
      }
      const isLoaded = await poll(attempt, { limitMs, everyMs })
      return isLoaded ? undefined : `${service}: ${reason ?? 'it did not answer'}`
    },
    hasLoaded,
  }
}
