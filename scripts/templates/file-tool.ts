import { detectionTest } from './detection.ts'
import type { Names } from './names.ts'
import { switchProgramFiles } from './switch-program.ts'

/** The files that tools with a configuration file have in common. */
export const fileToolFiles = (names: Names, directory: string): readonly (readonly [string, string])[] => [
  detectionTest(names),
  ...switchProgramFiles(names),
  ['loading.ts', loading(names, directory)],
  ['testing/machine.ts', machine(names)],
]

const loading = ({ kebab, title }: Names, directory: string) =>
  `import { checkEach, type Loading } from '../../host/apply/loading.ts'
import { byServiceStart } from '../../host/apply/proof.ts'
import type { Opening } from '../tool.ts'

const limits = { timeoutMs: 5000, maxBytes: 64 * 1024 }

/** How ${title} checks and loads its files. */
export const loading = ({ host, name, service }: Opening): Loading => ({
  directories: ['${directory}'],
  checkCommand: ['${kebab}', '--check'],
  check: checkEach(host.run, (path) => ['${kebab}', '--check', path]),
  proof: byServiceStart(name, {
    files: host.files,
    services: host.services,
    service,
    probe: async () => {
      const { code, stderr } = await host.run(['${kebab}', '--ping'], limits)
      return code === 0 ? undefined : stderr
    },
  }),
})
`

const machine = ({ kebab, title }: Names) =>
  `import { dirname } from 'node:path'
import { setTimeout as starting } from 'node:timers/promises'
import { KeyedMutex } from '../../../core/keyed-mutex.ts'
import { openApplyEdit } from '../../../host/apply/edited.ts'
import { openApply } from '../../../host/apply/index.ts'
import { type Files, openFiles } from '../../../host/files.ts'
import { type Host, openHost } from '../../../host/index.ts'
import type { Run } from '../../../host/run.ts'

/** A machine on which ${title} runs: real files, and a stand-in for the program, which reads its file when it starts. */
export interface Machine {
  readonly files: Files
  /** The text that the program has loaded. */
  served(): string
  /** Opens the host for one process of the panel. */
  host(door: <Thing extends object>(thing: Thing) => Thing): Host
}

/** Starts are told apart, and from the writing of files, by their times. */
const startMs = 12
const ok = { code: 0, stdout: '', stderr: '', isCut: false, durationMs: 0 }

/** Opens a machine; the program reads the file at \`path\`, and refuses a text that contains \`forbidden\`. */
export async function openMachine(root: string, path: string, content?: string): Promise<Machine> {
  const files = openFiles(root)
  let [served, startedUs] = ['', 0]
  const start = async () => {
    served = (await files.read(path)) ?? ''
    startedUs = Number(process.hrtime.bigint() / 1000n)
    await starting(startMs)
    return ok
  }
  const run: Run = async (argv) => {
    const line = argv.join(' ')
    if (line === '${kebab} --version') return { ...ok, stdout: '${kebab} 1.2.3' }
    if (line === '${kebab} --ping') return ok
    if (line.startsWith('${kebab} --check ')) return check(await files.read((argv[2] ?? '').slice(root.length)))
    if (line === 'systemctl --version') return { ...ok, stdout: 'systemd 257' }
    if (line.startsWith('systemctl show '))
      return { ...ok, stdout: \`ActiveState=active\\nExecMainStartTimestampMonotonic=\${startedUs}\\n\` }
    if (line === 'systemctl --no-ask-password restart -- ${kebab}.service') return start()
    throw new Error(\`not scripted: \${line}\`)
  }
  for (const directory of ['/run/systemd/system', dirname(path)]) await files.makeDirectory(directory)
  if (content !== undefined) await files.write(path, content)
  await start()
  return {
    files,
    served: () => served,
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
}

const check = (text = '') => (text.includes('forbidden') ? { ...ok, code: 1, stderr: 'line 1: forbidden' } : ok)
`
