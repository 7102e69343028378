import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Script } from '../../../host/testing/scripted-run.ts'
import { configPath, generatedPath, logPath } from '../layout.ts'

/** Exim on a host in a folder: its files are there, its commands are scripted. */
export interface StandInExim {
  isInstalled: boolean
  /** What becomes of a message, as the main log tells it. */
  fate: string
  /** What `exim4 -bp` prints, and the number of messages. */
  queue: { text: string; total: number }
  /** The receivers of the messages that were sent. */
  readonly sent: string[]
  /** How often the configuration was generated. */
  generated: number
}

const debian = "dc_eximconfig_configtype='local'\ndc_other_hostnames='web1'\ndc_smarthost=''\n"
const id = (count: number) => `1vNCn2-00001Y-${String(count).padStart(2, '0')}`

/** Opens the stand-in, which is installed. */
export const standInExim = (): StandInExim => ({
  isInstalled: true,
  fate: '=> ada@example.com R=smarthost C="250 OK"',
  queue: { text: '', total: 0 },
  sent: [],
  generated: 0,
})

/** Puts the files of the package into a folder. */
export function placeExim(root: string): void {
  for (const folder of ['usr/sbin', 'etc/exim4', 'var/lib/exim4', 'var/log/exim4'])
    mkdirSync(`${root}/${folder}`, { recursive: true })
  writeFileSync(`${root}/usr/sbin/update-exim4.conf`, '')
  writeFileSync(`${root}${configPath}`, debian)
}

/** Answers the commands by which the panel drives Exim; its checker refuses a text that contains `forbidden`. */
export function scriptExim(exim: StandInExim, root: () => string): Script {
  return (argv, { input }) => {
    const [program, ...args] = argv
    if (program === 'exim4') return exim.isInstalled ? exim4(exim, args.join(' ')) : { code: 127 }
    if (program === 'bwrap' && argv.includes('update-exim4.conf')) {
      const candidate = argv[argv.indexOf('--ro-bind') + 1] ?? ''
      return readFileSync(candidate, 'utf8').includes('forbidden')
        ? { code: 1, stderr: 'Invalid new configfile' }
        : {}
    }
    if (program === 'update-exim4.conf') {
      exim.generated++
      copyFileSync(`${root()}${configPath}`, `${root()}${generatedPath}`)
      return {}
    }
    if (program === 'systemctl' && args[0] === 'reset-failed') return {}
    if (program === 'sendmail') return send(exim, root(), args.at(-1) ?? '', String(input))
    if (program === 'tail' && args.at(-1) === `${root()}${logPath}`)
      return { stdout: existsSync(args.at(-1) ?? '') ? readFileSync(args.at(-1) ?? '', 'utf8') : '' }
    return undefined
  }
}

function exim4({ queue }: StandInExim, line: string) {
  if (line === '--version') return { stdout: 'Exim version 4.96 #2' }
  if (line === '-bpc') return { stdout: `${queue.total}\n` }
  return line === '-bp' ? { stdout: queue.text } : undefined
}

function send(exim: StandInExim, root: string, to: string, text: string) {
  exim.sent.push(to)
  const messageId = /^Message-ID: <(.*)>$/m.exec(text)?.[1]
  const at = '2026-11-23 17:00:00'
  const name = id(exim.sent.length)
  appendFileSync(
    `${root}${logPath}`,
    `${at} ${name} <= root@web1 U=root P=local S=400 id=${messageId}\n${at} ${name} ${exim.fate}\n`,
  )
  return {}
}
