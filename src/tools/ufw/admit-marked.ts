import { problem } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { StepKind } from '../../core/change.ts'
import type { Host } from '../../host/index.ts'
import { admittedMark } from '../nftables/index.ts'

export const UfwFailed = problem('firewall_refused', 500, 'ufw did not take the rules')

/** The rules of administrators that come before those of ufw (ufw-framework(8)). */
export const files = [
  { path: '/etc/ufw/before.rules', program: 'iptables', chain: 'ufw-before-input' },
  { path: '/etc/ufw/before6.rules', program: 'ip6tables', chain: 'ufw6-before-input' },
] as const

interface AdmitArgs {
  readonly isAdmitted: boolean
}

/** By file. */
type Admitted = Readonly<Record<string, boolean>>

type RuleFile = (typeof files)[number]

const matches = [
  '-m',
  'mark',
  '--mark',
  `${admittedMark}/${admittedMark}`,
  '-m',
  'comment',
  '--comment',
  'hostreeve',
]
const ruleIn = (chain: string): readonly string[] => [chain, ...matches, '-j', 'ACCEPT']
const lineIn = (chain: string): string => `-A ${ruleIn(chain).join(' ')}\n`

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
      commands: files.map(({ program, chain }) => [program, isAdmitted ? '-I' : '-D', ...ruleIn(chain)]),
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
      for (const file of files) {
        const { path, chain } = file
        const isWanted = state?.[path] ?? false
        const text = await host.files.read(path)
        if (text === undefined) throw UfwFailed(`ufw: ${path} is missing`)
        const edited = withLine(text, chain, isWanted)
        if (edited !== text) await host.files.write(path, edited)
        await load(host, file, isWanted)
      }
    },
    isInEffect: () => areLoaded(host),
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

const limits = { timeoutMs: 30_000, maxBytes: 1024 * 1024 }

/** How often the rule is loaded; undefined where ufw is not active, which loads its files when it is enabled. */
async function countLoaded(
  { run }: Pick<Host, 'run'>,
  { program, chain }: RuleFile,
): Promise<number | undefined> {
  const { code, stdout } = await run([program, '-S', chain], limits)
  const line = lineIn(chain).trim()
  return code === 0 ? stdout.split('\n').filter((each) => each === line).length : undefined
}

/** A file and the kernel may differ after a kill. */
async function areLoaded({ run, files: { read } }: Pick<Host, 'run' | 'files'>): Promise<boolean> {
  const found = await Promise.all(
    files.map(async (file) => {
      const count = await countLoaded({ run }, file)
      return count === undefined || count > 0 === isIn((await read(file.path)) ?? '', file.chain)
    }),
  )
  return found.every(Boolean)
}

/** Loads what `ufw reload` would: that admits every packet for a second. */
async function load(host: Pick<Host, 'run'>, file: RuleFile, isWanted: boolean): Promise<void> {
  const count = await countLoaded(host, file)
  if (count === undefined || (isWanted && count > 0)) return
  const verbs = isWanted ? ['-I'] : Array.from({ length: count }, () => '-D')
  for (const verb of verbs) {
    const { code, stderr } = await host.run([file.program, verb, ...ruleIn(file.chain)], limits)
    if (code !== 0) throw UfwFailed(`${file.program}: ${stderr.trim().slice(0, 2000)}`)
  }
}
