import { problem, Unavailable } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { StepKind } from '../../core/change.ts'
import type { Host } from '../../host/index.ts'
import { admittedMark } from '../nftables/index.ts'

export const UfwFailed = problem('firewall_refused', 500, 'ufw did not take the rules')

/** The rules of administrators that come before those of ufw (ufw-framework(8)). */
export const files = [
  { path: '/etc/ufw/before.rules', chain: 'ufw-before-input' },
  { path: '/etc/ufw/before6.rules', chain: 'ufw6-before-input' },
] as const

interface AdmitArgs {
  readonly isAdmitted: boolean
}

/** By file. */
type Admitted = Readonly<Record<string, boolean>>

const lineIn = (chain: string): string =>
  `-A ${chain} -m mark --mark ${admittedMark}/${admittedMark} -m comment --comment hostreeve -j ACCEPT\n`

/** The step by which ufw accepts, or no longer accepts, what the table of the panel has marked. */
export function admitMarked(host: Pick<Host, 'run' | 'files'>): StepKind<AdmitArgs, Was<Admitted>, null> {
  return stateStep<AdmitArgs, Admitted>({
    name: 'ufw.admit-marked',
    plan: ({ isAdmitted }) => ({
      title: isAdmitted
        ? 'Let ufw accept what the panel admits'
        : 'Let ufw no longer accept what the panel admits',
      objects: files.map(({ path, chain }) => ({
        name: path,
        before: null,
        after: isAdmitted ? lineIn(chain).trim() : null,
      })),
      commands: [['ufw', 'reload']],
    }),
    read: async () => {
      const found = await Promise.all(
        files.map(
          async ({ path, chain }) => [path, isIn((await host.files.read(path)) ?? '', chain)] as const,
        ),
      )
      return Object.fromEntries(found)
    },
    wanted: ({ isAdmitted }) => Object.fromEntries(files.map(({ path }) => [path, isAdmitted])),
    write: async (_args, state) => {
      for (const { path, chain } of files) {
        const text = await host.files.read(path)
        if (text === undefined) throw UfwFailed(`ufw: ${path} is missing`)
        const edited = withLine(text, chain, state?.[path] ?? false)
        if (edited !== text) await host.files.write(path, edited)
      }
      await reload(host)
    },
    isInEffect: () => isLoaded(host),
    notUndone: 'it follows the firewall: change that under Firewall',
  })
}

const isIn = (text: string, chain: string): boolean => text.split(/(?<=\n)/).includes(lineIn(chain))

/** The line comes before the first rule of its chain; every other byte stays. */
function withLine(text: string, chain: string, isWanted: boolean): string {
  const line = lineIn(chain)
  const rest = text.split(/(?<=\n)/).filter((each) => each !== line)
  if (!isWanted) return rest.join('')
  const at = rest.findIndex((each) => each.startsWith(`-A ${chain} `))
  if (at === -1) throw UfwFailed(`ufw: no rule of ${chain} was found, before which the panel's comes`)
  return rest.toSpliced(at, 0, line).join('')
}

/** True also where ufw is not active: it loads its files when it is enabled. */
async function isLoaded({ run, ...host }: Pick<Host, 'run' | 'files'>): Promise<boolean> {
  const [{ path, chain }] = files
  const { code, stdout } = await run(['iptables', '-S', chain], { timeoutMs: 10_000, maxBytes: 1024 * 1024 })
  return code !== 0 || isIn(stdout, chain) === isIn((await host.files.read(path)) ?? '', chain)
}

/** No-op where ufw is not active. */
async function reload({ run }: Pick<Host, 'run'>): Promise<void> {
  const { code, stdout, stderr } = await run(['ufw', 'reload'], { timeoutMs: 60_000, maxBytes: 64 * 1024 })
  if (code === 127) throw Unavailable('ufw is not installed')
  if (code !== 0) throw UfwFailed(`ufw reload: ${(stderr.trim() || stdout.trim()).slice(0, 2000)}`)
}
