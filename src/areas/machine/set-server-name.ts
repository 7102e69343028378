import type { StepKind } from '../../core/change.ts'
import { problem } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { Host } from '../../host/index.ts'
import { renamed } from './hosts-file.ts'

export const NameRefused = problem('name_refused', 500, 'The host did not take the name')

interface NameArgs {
  readonly name: string
}

/** The name in each of its places. */
export interface NameState {
  /** Of the running kernel. */
  readonly kernel: string
  /** Text of /etc/hostname, from which the kernel has it at the next start (hostname(5)). */
  readonly stored?: string
  /** Text of /etc/hosts. */
  readonly hosts?: string
}

const storedPath = '/etc/hostname'
const hostsPath = '/etc/hosts'
const kernelPath = '/proc/sys/kernel/hostname'

/** The step that names the host: in the kernel, in /etc/hostname and in /etc/hosts. */
export function setServerName({
  files,
  run,
}: Pick<Host, 'files' | 'run'>): StepKind<NameArgs, Was<NameState>, null> {
  const read = async (): Promise<NameState> => {
    const [kernel, stored, hosts] = await Promise.all([kernelPath, storedPath, hostsPath].map(files.read))
    return {
      kernel: (kernel ?? '').trim(),
      ...(stored !== undefined && { stored }),
      ...(hosts !== undefined && { hosts }),
    }
  }
  const set = async (path: string, text: string | undefined) =>
    text === undefined ? files.remove(path) : files.write(path, text)
  return stateStep<NameArgs, NameState>({
    name: 'machine.set-name',
    plan: async ({ name }) => {
      const was = await read()
      return {
        title: `Name the host ${name}`,
        details: ['Programs that run know the former name until they are restarted'],
        commands: [['hostname', name]],
        files: filesOf(was, wantedOf(was, name)),
      }
    },
    changed: (_args, was, wanted) => ({ files: filesOf(was, wanted) }),
    read,
    wanted: ({ name }, was) => wantedOf(was, name),
    write: async (_args, state, { now }) => {
      if (state?.hosts !== now?.hosts) await set(hostsPath, state?.hosts)
      if (state?.stored !== now?.stored) await set(storedPath, state?.stored)
      if (state === undefined || state.kernel === now?.kernel) return
      const { code, stderr } = await run(['hostname', '--', state.kernel], { timeoutMs: 10_000 })
      if (code !== 0) throw NameRefused(`hostname: ${stderr.trim().slice(0, 500)}`)
    },
  })
}

const wantedOf = (was: NameState | undefined, name: string): NameState => ({
  kernel: name,
  stored: `${name}\n`,
  hosts: renamed(was?.hosts ?? '127.0.0.1\tlocalhost\n', was?.kernel ?? '', name),
})

function filesOf(was: NameState | undefined, wanted: NameState | undefined) {
  return [
    { path: storedPath, diff: unifiedDiff(storedPath, was?.stored, wanted?.stored ?? '') },
    { path: hostsPath, diff: unifiedDiff(hostsPath, was?.hosts, wanted?.hosts ?? '') },
  ].filter(({ diff }) => diff !== '')
}
