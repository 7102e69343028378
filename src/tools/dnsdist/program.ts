import type { Host } from '../../host/index.ts'
import { versionIn } from '../detection.ts'
import { apiPath, balancerPath, consolePath, type DnsdistLayout } from './layout.ts'
import { luaString } from './lua.ts'

const consoleMs = 30_000
/** The exit code of a command that was ended by its time limit. */
const timedOut = 124

/** Starts and stops dnsdist. */
export interface DnsdistStarter {
  isRunning(): Promise<boolean>
  /** When the running process was started, in milliseconds since 1970. */
  startedAt(): Promise<number | undefined>
  /** Returns when dnsdist answers; throws its message if it does not start. */
  act(verb: 'start' | 'stop' | 'restart'): Promise<void>
}

/** Starts and stops dnsdist as a service of the host; systemd awaits its readiness. */
export function startWith({ services }: Pick<Host, 'services'>, service: string): DnsdistStarter {
  return {
    isRunning: async () => (await services.status(service)).active,
    startedAt: () => services.startedAt(service),
    act: (verb) => services.act(service, verb),
  }
}

/** The command line and the HTTP API of dnsdist. */
export interface DnsdistProgram {
  /** Undefined when dnsdist is not installed. */
  version(): Promise<string | undefined>
  /** Lets dnsdist check the file at a real path; returns its message if it rejects it. */
  check(path: string): Promise<string | undefined>
  /** Sends GET to the HTTP API; undefined when dnsdist does not answer. */
  get(path: string): Promise<unknown>
  /** Lets the running dnsdist carry out a line of Lua; returns what it prints, undefined if its console cannot be reached. */
  command(line: string): Promise<string | undefined>
  /** Identifies the balancer that the running dnsdist serves; undefined if its console cannot be reached. */
  generation(): Promise<string | undefined>
}

/** Opens the dnsdist of the host. */
export function openProgram(
  { run, files, connect }: Pick<Host, 'run' | 'files' | 'connect'>,
  layout: DnsdistLayout,
  checkMs = 20_000,
): DnsdistProgram {
  const command = async (line: string) => {
    if (!hasConsole(await files.read(consolePath(layout)))) return undefined
    const argv = ['dnsdist', '-C', files.real(consolePath(layout)), '-e', line] as const
    const { code, stdout } = await run(argv, { timeoutMs: consoleMs, maxBytes: 65_536 })
    return code === 0 ? stdout : undefined
  }
  return {
    command,
    generation: async () => {
      const printed = await command('return hostreeve_generation')
      return /^[0-9a-f]{16}$/m.exec(printed ?? '')?.[0]
    },
    version: async () => {
      const result = await run(['dnsdist', '--version'], { timeoutMs: 10_000, maxBytes: 65_536 })
      return versionIn(result, /^dnsdist (\S+)/m)
    },
    check: async (path) => {
      const { code, stdout, stderr } = await run(['dnsdist', '--check-config', '-C', path], {
        timeoutMs: checkMs,
        maxBytes: 65_536,
      })
      if (code === 0) return undefined
      // Lua may loop forever, whatever it has printed before
      if (code === timedOut) return `dnsdist --check-config did not end within ${checkMs / 1000} s`
      // it says so of the key of the panel, before what is wrong
      const output = (stderr + stdout).replaceAll(/^Passing a plain-text API key .*\n/gm, '')
      const message = output.trim().slice(0, 2000)
      return message || `dnsdist --check-config ended with ${code}`
    },
    get: async (path) => {
      const api = parseApi(await files.read(apiPath(layout)))
      if (api === undefined) return undefined
      const { send } = connect.http({
        name: 'dnsdist',
        at: { port: api.port },
        headers: () => ({ 'X-API-Key': api.key }),
        timeoutMs: 5000,
      })
      const { status, body } = await send({ method: 'GET', path })
      return status === 200 ? body : undefined
    },
  }
}

/** Renders the settings of the HTTP API on loopback, which include those of the console. */
export function renderApi(
  { port, key }: { readonly port: number; readonly key: string },
  layout: DnsdistLayout,
): string {
  return [
    '-- Written by Hostreeve; changes are overwritten.',
    `webserver("127.0.0.1:${port}")`,
    `setWebserverConfig({apiKey=${luaString(key)}, acl="127.0.0.0/8"})`,
    `dofile(${luaString(consolePath(layout))})`,
    '',
  ].join('\n')
}

/** Renders the settings of the console on loopback; with an empty key, that there is none. */
export function renderConsole({ port, key }: { readonly port: number; readonly key: string }): string {
  return [
    '-- Written by Hostreeve; changes are overwritten.',
    ...(key === '' ? [] : [`controlSocket("127.0.0.1:${port}")`, `setKey(${luaString(key)})`]),
    '',
  ].join('\n')
}

const hasConsole = (text: string | undefined): boolean => /^controlSocket\(/m.test(text ?? '')

/** Reads port and key of the HTTP API from the file that was rendered from them. */
export function parseApi(
  text: string | undefined,
): { readonly port: number; readonly key: string } | undefined {
  const found = /^webserver\("127\.0\.0\.1:(\d+)"\)\nsetWebserverConfig\(\{apiKey="([A-Za-z0-9_-]+)"/m.exec(
    text ?? '',
  )
  return found === null ? undefined : { port: Number(found[1]), key: found[2]! }
}

/** Returns the lines by which the configuration includes the files of the panel. */
export const includesOf = (layout: DnsdistLayout): readonly string[] =>
  [apiPath(layout), balancerPath(layout)].map((path) => `dofile(${luaString(path)})`)
