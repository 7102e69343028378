import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { plannedObject } from '../../host/apply/steps.ts'
import type { Host } from '../../host/index.ts'
import { maskedConfig } from './config-paths.ts'
import { isRecord, parseConfig, renderConfig } from './json5.ts'
import {
  accountName,
  candidatePath,
  configPath,
  environmentPath,
  nodePath,
  programEnvironment,
  programPath,
  unitPath,
} from './layout.ts'
import { ConfigRejected, NotConfigured } from './problems.ts'
import { writeForAssistant } from './settings-file.ts'
import { versionIn } from './unit.ts'

interface ConfigArgs {
  /** Null removes the configuration. */
  readonly content: string | null
}

type Configuring = Pick<Host, 'run' | 'files' | 'accounts'>

/** The step that writes the configuration, once OpenClaw has accepted it. */
export function writeConfig(host: Configuring): StepKind<ConfigArgs, Was<string>, null> {
  const { files } = host
  const read = () => files.read(configPath)
  const wanted = ({ content }: ConfigArgs) => content ?? undefined
  return stateStep<ConfigArgs, string>({
    name: 'openclaw.write-config',
    plan: ({ content }) => ({ title: `${content === null ? 'Remove' : 'Check and write'} ${configPath}` }),
    ...plannedObject<ConfigArgs, string>({ object: () => configPath, read, wanted, show }),
    read,
    wanted,
    refuse: async ({ content }) => {
      if (content !== null) await assertAccepted(host, content)
    },
    write: async (_args, content) => {
      if (content === undefined) {
        await files.remove(candidatePath) // a panel that was killed during a check left it
        await files.remove(configPath)
      } else await writeForAssistant(host, configPath, content)
    },
  })
}

/** A configuration for people; one that was damaged by hand is not shown, as its secrets cannot be told. */
function show(text: string): string {
  try {
    return renderConfig(maskedConfig(parseConfig(text)))
  } catch {
    return 'a text that is not JSON5'
  }
}

const checkLimits = { timeoutMs: 120_000, maxBytes: 256 * 1024 }

/** Has OpenClaw check a configuration under the account that will use it; fails with its message. */
async function assertAccepted(host: Configuring, content: string): Promise<void> {
  const { files, run, accounts } = host
  const version = versionIn(await files.read(unitPath))
  const account = await accounts.find(accountName)
  if (version === undefined || account === undefined) throw NotConfigured()
  await writeForAssistant(host, candidatePath, content)
  try {
    const { code, stdout, stderr } = await run(
      [
        files.real(nodePath(version)),
        `--env-file=${files.real(environmentPath)}`,
        files.real(programPath(version)),
        'config',
        'validate',
        '--json',
      ],
      {
        ...checkLimits,
        as: { uid: account.uid, gid: account.gid },
        cwd: files.real(account.home),
        env: { ...programEnvironment, OPENCLAW_CONFIG_PATH: files.real(candidatePath) },
      },
    )
    const verdict = verdictIn(stdout)
    if (verdict?.['valid'] === true) return
    throw ConfigRejected(
      `config: ${(messageOf(verdict) || stderr.trim() || `exit status ${code}`).slice(0, 2000)}`,
    )
  } finally {
    await files.remove(candidatePath)
  }
}

function verdictIn(stdout: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(stdout.slice(Math.max(0, stdout.indexOf('{'))))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The issues that OpenClaw names, a sentence each; empty if there are none. */
function messageOf(verdict: Readonly<Record<string, unknown>> | undefined): string {
  const found = verdict?.['issues'] ?? verdict?.['errors'] ?? verdict?.['error']
  if (typeof found === 'string') return found
  if (!Array.isArray(found)) return ''
  return found
    .map((each: unknown) => {
      if (!isRecord(each)) return String(each)
      const { path = '', message = '' } = each
      return `${Array.isArray(path) ? path.join('.') : String(path)}: ${String(message)}`
    })
    .join('; ')
}
