import { setTimeout as starting } from 'node:timers/promises'
import { KeyedMutex } from '../../../core/keyed-mutex.ts'
import { openApplyEdit } from '../../../host/apply/edited.ts'
import { openApply } from '../../../host/apply/index.ts'
import { type Files, openFiles } from '../../../host/files.ts'
import { type Host, openHost } from '../../../host/index.ts'
import type { Run } from '../../../host/run.ts'
import type { Daemon } from '../daemon.ts'
import { configPath, generatedPath, logPath } from '../layout.ts'

/** A machine on which Exim runs: real files, and a stand-in for the program. */
export interface Machine {
  readonly files: Files
  readonly daemon: Daemon
  /** The text that the daemon has loaded; undefined while it does not run. */
  served(): string | undefined
  stop(): void
  /** The texts of the messages that were sent. */
  readonly sent: string[]
  /** What becomes of the messages, as the main log tells it; empty if it does not. */
  fate: string
  /** Opens the host for one process of the panel. */
  host(door: <Thing extends object>(thing: Thing) => Thing): Host
}

/** Starts are told apart, and from the writing of files, by their times. */
const startMs = 12
const ok = { code: 0, stdout: '', stderr: '', isCut: false, durationMs: 0 }

/** Opens a machine; its checker refuses a text that contains `forbidden`. */
export async function openMachine(root: string, content: string): Promise<Machine> {
  const files = openFiles(root)
  let [served, startedAt]: [string?, number?] = []
  const start = async () => {
    served = (await files.read(generatedPath)) ?? ''
    startedAt = Date.now() + 1 // rounded up, as files have the fraction of the millisecond in which they were written
    await starting(startMs)
    return ok
  }
  const generate = async () => {
    await files.write(generatedPath, (await files.read(configPath)) ?? '')
    return ok
  }
  const log = async (text: string) => files.write(logPath, `${(await files.read(logPath)) ?? ''}${text}`)
  const send = async (text: string) => {
    machine.sent.push(text)
    const id = `1vNCn2-00001Y-${String(machine.sent.length).padStart(2, '0')}`
    const messageId = /^Message-ID: <(.*)>$/m.exec(text)?.[1]
    await log(`2026-11-23 17:00:00 ${id} <= root@web1 U=root P=local S=400 id=${messageId}\n`)
    if (machine.fate !== '') await log(`2026-11-23 17:00:01 ${id} ${machine.fate}\n`)
    return ok
  }
  const run: Run = async (argv, { input } = {}) => {
    const line = argv.join(' ')
    if (line === 'exim4 --version') return { ...ok, stdout: 'Exim version 4.96 #2' }
    if (argv[0] === 'bwrap') {
      const candidate = argv[argv.indexOf('--ro-bind') + 1] ?? ''
      return check(await files.read(candidate.slice(root.length)))
    }
    if (line === 'update-exim4.conf') return generate()
    if (line === 'systemctl --version') return { ...ok, stdout: 'systemd 252' }
    if (line === 'systemctl reset-failed -- exim4.service') return ok
    if (line.startsWith('systemctl show '))
      return { ...ok, stdout: 'LoadState=loaded\nActiveState=inactive\nInactiveEnterTimestamp=\n' }
    if (/^systemctl --no-ask-password (?:re)?start -- exim4\.service$/.test(line)) return start()
    if (line.startsWith('sendmail -odb -i -- ')) return send(String(input))
    if (argv[0] === 'tail') return { ...ok, stdout: (await files.read(logPath)) ?? '' }
    throw new Error(`not scripted: ${line}`)
  }
  for (const directory of [
    '/run/systemd/system',
    '/usr/sbin',
    '/etc/exim4',
    '/var/lib/exim4',
    '/var/log/exim4',
  ])
    await files.makeDirectory(directory)
  await files.write('/usr/sbin/update-exim4.conf', '')
  await files.write(configPath, content)
  await generate()
  await start()
  const machine: Machine = {
    files,
    daemon: { startedAt: async () => startedAt },
    served: () => served,
    stop: () => {
      served = startedAt = undefined
    },
    sent: [],
    fate: '=> ada@example.com R=smarthost T=remote_smtp_smarthost C="250 OK"',
    host: (door) => {
      const [reached, locks] = [door(files), new KeyedMutex<string>()]
      return {
        ...openHost({ root, run: door(run) }),
        files: reached,
        ...openApply(reached, locks),
        ...openApplyEdit(reached, locks),
      }
    },
  }
  return machine
}

const check = (text = '') =>
  text.includes('forbidden') ? { ...ok, code: 1, stderr: 'Invalid new configfile' } : ok
