import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import {
  fillSet6,
  firewallCmd,
  hasElements6,
  hasRuntimeRules,
  isRunning,
  listLoaded,
} from './firewall-cmd.ts'
import { policyFiles, policyName, richRules } from './policy.ts'

type FirewalldHost = Pick<Host, 'run' | 'files'>

interface AdmitArgs {
  readonly isAdmitted: boolean
}

/** The content of each file that exists. */
type Written = Readonly<Record<string, string>>

const paths = Object.keys(policyFiles)

/** The step by which firewalld accepts, or no longer accepts, what the table of the panel has marked. */
export function admitMarked(host: FirewalldHost): StepKind<AdmitArgs, Was<Written>, null> {
  return stateStep<AdmitArgs, Written>({
    name: 'firewalld.admit-marked',
    plan: ({ isAdmitted }) => ({
      title: isAdmitted
        ? 'Let firewalld accept what the panel admits'
        : 'Let firewalld no longer accept what the panel admits',
      objects: paths.map((name) => ({
        name,
        before: null,
        after: isAdmitted ? 'the mark of the panel' : null,
      })),
      reloads: ['firewalld'],
    }),
    read: () => readFiles(host),
    wanted: ({ isAdmitted }) => (isAdmitted ? policyFiles : undefined),
    startsFrom: 'observed',
    write: async (_args, state) => {
      const losesRules = (await isRunning(host)) && (await hasRuntimeRules(host))
      for (const path of paths) await write(host, path, state?.[path])
      await load(host, { isWanted: state !== undefined, losesRules })
    },
    isInEffect: () => isInEffect(host),
    notUndone: 'it follows the firewall: change that under Firewall',
  })
}

async function readFiles({ files }: FirewalldHost): Promise<Written | undefined> {
  const found = await Promise.all(paths.map(async (path) => [path, await files.read(path)] as const))
  const present = found.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]))
  return present.length === 0 ? undefined : Object.fromEntries(present)
}

async function write({ files }: FirewalldHost, path: string, text: string | undefined): Promise<void> {
  if (text === undefined) return void (await files.remove(path))
  await files.makeDirectory(path.slice(0, path.lastIndexOf('/')))
  await files.write(path, text, { rights: { mode: 0o644 } })
}

/** The files and the running firewalld may differ after a kill. */
async function isInEffect(host: FirewalldHost): Promise<boolean> {
  if (!(await isRunning(host))) return true
  const isWanted = (await host.files.read(paths[0] ?? '')) !== undefined
  const loaded = (await listLoaded(host)) ?? []
  if (!isWanted) return loaded.length === 0
  return loaded.length === richRules.length && (await hasElements6(host)) === true
}

interface Loading {
  readonly isWanted: boolean
  /** True if a reload loses rules of others. */
  readonly losesRules: boolean
}

/** A reload alone makes or removes a policy, but the rules in it are set without one. */
async function load(host: FirewalldHost, { isWanted, losesRules }: Loading): Promise<void> {
  if (!(await isRunning(host))) return
  const loaded = await listLoaded(host)
  const isKnown = loaded !== undefined
  if (isWanted ? !isKnown : isKnown && !losesRules) await firewallCmd(host, ['--reload'])
  else if (isKnown) await setRules(host, { isWanted, loaded })
  if (isWanted) await fillSet6(host)
}

async function setRules(
  host: FirewalldHost,
  { isWanted, loaded }: { readonly isWanted: boolean; readonly loaded: readonly string[] },
): Promise<void> {
  const verb = isWanted ? '--add-rich-rule' : '--remove-rich-rule'
  const rules = richRules.filter((rule) => loaded.includes(rule) !== isWanted)
  if (rules.length === 0) return
  await firewallCmd(host, [`--policy=${policyName}`, ...rules.map((rule) => `${verb}=${rule}`)])
}
