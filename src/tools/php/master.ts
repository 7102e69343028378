import { poll } from '../../core/poll.ts'
import { Unavailable } from '../../core/problem.ts'
import { ConfigRejected, ReloadFailed } from '../../host/apply/problems.ts'
import type { Host } from '../../host/index.ts'
import { masterPath, type MasterPlace, pidPath, programOf, runDirectory, unitOf } from './pool.ts'
import { askGeneration } from './pool-client.ts'
import { reloadSeconds } from './render-pool.ts'

/** The running php-fpm, as the steps use it. */
export interface PhpProgram {
  /** True if there is systemd, which then runs the masters. */
  hasUnits(): Promise<boolean>
  /** The refusal of a configuration; undefined if it is accepted. */
  check(version: string, configPath: string): Promise<string | undefined>
  isRunning(master: MasterPlace): Promise<boolean>
  start(master: MasterPlace): Promise<void>
  reload(master: MasterPlace): Promise<void>
  stop(master: MasterPlace): Promise<void>
  /** The generation that a pool reports; undefined if it does not answer. */
  served(socketPath: string): Promise<string | undefined>
}

const limits = { timeoutMs: (reloadSeconds + 10) * 1000, maxBytes: 64 * 1024 }
const answerMs = 3000
/** Requests that are being answered may take as long as a reload lets them. */
const stopMs = (reloadSeconds + 10) * 1000

/** Opens php-fpm on a host: as units where there is systemd, otherwise as daemons that the panel starts again. */
export function openPhp(host: Pick<Host, 'run' | 'files' | 'services'>): PhpProgram {
  const hasUnits = async () => (await host.services.detect()).kind === 'systemd'
  const bare = daemons(host)
  const byUnit: Pick<PhpProgram, 'isRunning' | 'start' | 'reload' | 'stop'> = {
    isRunning: async (master) => (await host.services.startedAt(unitOf(master))) !== undefined,
    start: async (master) => {
      await host.services.act(unitOf(master), 'enable')
      await host.services.start(unitOf(master))
    },
    reload: (master) => host.services.act(unitOf(master), 'reload'),
    stop: async (master) => {
      await host.services.act(unitOf(master), 'disable')
      await host.services.act(unitOf(master), 'stop')
    },
  }
  const chosen = async () => ((await hasUnits()) ? byUnit : bare)
  return {
    hasUnits,
    check: async (version, configPath) => {
      const { code, stderr, stdout } = await host.run(
        [programOf(version), '--test', '--fpm-config', configPath],
        limits,
      )
      if (code === 127) throw Unavailable(`PHP ${version} is not installed`)
      return code === 0 ? undefined : refusalOf(stderr.trim() || stdout.trim())
    },
    isRunning: async (master) => (await chosen()).isRunning(master),
    start: async (master) => (await chosen()).start(master),
    reload: async (master) => (await chosen()).reload(master),
    stop: async (master) => (await chosen()).stop(master),
    served: (socketPath) => askGeneration(host.files.real(socketPath), answerMs),
  }
}

const refusalOf = (message: string) =>
  (message || 'php-fpm -t failed without a message').replaceAll(/^\[[^\]]*\] /gm, '').slice(0, 2000)

/** Masters without a service system. */
function daemons({ run, files }: Pick<Host, 'run' | 'files'>) {
  const processOf = async (master: MasterPlace): Promise<string | undefined> => {
    const pid = (await files.read(pidPath(master)))?.trim() ?? ''
    if (!/^\d+$/.test(pid)) return undefined
    const title = await files.read(`/proc/${pid}/cmdline`) // another process may have the number by now
    return title?.includes(masterPath(master)) === true ? pid : undefined
  }
  const signal = async (master: MasterPlace, name: 'USR2' | 'QUIT') => {
    const pid = await processOf(master)
    if (pid === undefined) return
    const { code, stderr } = await run(['kill', `-${name}`, '--', pid], limits)
    if (code !== 0) throw ReloadFailed(`kill: ${stderr.trim().slice(0, 500)}`)
  }
  return {
    isRunning: async (master: MasterPlace) => (await processOf(master)) !== undefined,
    start: async (master: MasterPlace) => {
      await files.makeDirectory('/run/hostreeve-php')
      await files.makeDirectory(runDirectory(master), { mode: 0o711 })
      const argv = [programOf(master.version), '--daemonize', '--fpm-config', masterPath(master)] as const
      const { code, stderr } = await run(argv, limits)
      if (code !== 0) throw ConfigRejected(refusalOf(stderr.trim()))
    },
    reload: (master: MasterPlace) => signal(master, 'USR2'),
    stop: async (master: MasterPlace) => {
      await signal(master, 'QUIT')
      const hasEnded = async () => ((await processOf(master)) === undefined ? true : undefined)
      if (!(await poll(hasEnded, { limitMs: stopMs, everyMs: 50 })))
        throw ReloadFailed(`PHP ${master.version} of ${master.username} did not stop`)
    },
  }
}
