import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Script } from '../../../host/testing/scripted-run.ts'
import { accountName, nodePath, pendingPath, programPath, versionDirectory } from '../layout.ts'

/** What npm, OpenClaw and crontab answer in a test, and what they were given. */
export interface ScriptedPrograms {
  /** What OpenClaw finds wrong with a configuration. */
  issues: readonly { readonly path: string; readonly message: string }[]
  /** The newest version that npm offers. */
  newest: string
  /** The message with which npm fails; undefined if it works. */
  npmFails: string | undefined
  crontab: string | undefined
  crontabFails: boolean
  readonly script: Script
}

/** Plays the programs that set up OpenClaw; what npm installs is below the root of the host's files. */
export function scriptPrograms(): ScriptedPrograms {
  const programs: ScriptedPrograms = {
    issues: [],
    newest: '2026.10.1',
    npmFails: undefined,
    crontab: undefined,
    crontabFails: false,
    script: (argv, { input }) => {
      if (argv[0] === 'npm') return npm(programs, argv)
      if (argv.includes('validate'))
        return { stdout: JSON.stringify({ valid: programs.issues.length === 0, issues: programs.issues }) }
      return argv[0] === 'crontab' ? crontab(programs, argv.at(-1), String(input ?? '')) : undefined
    },
  }
  return programs
}

function npm(programs: ScriptedPrograms, argv: readonly string[]) {
  if (programs.npmFails !== undefined) return { code: 1, stderr: programs.npmFails }
  if (argv[1] === 'view') return { stdout: `"${programs.newest}"\n` }
  const prefix = argv[argv.indexOf('--prefix') + 1] ?? ''
  const version = argv.find((each) => each.startsWith('openclaw@'))?.slice('openclaw@'.length) ?? ''
  for (const path of [programPath(version), nodePath(version), pendingPath(version)]) {
    const written = path.replace(versionDirectory(version), prefix)
    mkdirSync(dirname(written), { recursive: true })
    writeFileSync(written, '')
  }
  return {}
}

function crontab(programs: ScriptedPrograms, verb: string | undefined, input: string) {
  if (programs.crontabFails) return { code: 1, stderr: 'crontab: the spool is read-only' }
  if (verb === '-l')
    return programs.crontab === undefined
      ? { code: 1, stderr: `no crontab for ${accountName}` }
      : { stdout: programs.crontab }
  programs.crontab = verb === '-r' ? undefined : input
  return {}
}
