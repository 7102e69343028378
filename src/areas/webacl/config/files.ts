import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { StepKind } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { unifiedDiff } from '../../../core/unified-diff.ts'
import type { Files } from '../../../host/files.ts'
import { RulesNotStored, RulesUnreadable } from '../problems.ts'
import { builtInRules } from '../library/rules.ts'
import { AccessConfig, AppliedConfig, emptyConfig, LibraryConfig } from './model.ts'

/** The directory of the rules, which only root reads. */
export const directory = '/var/lib/hostreeve-access'

const ownerPath = (owner: number) => `${directory}/${owner}.json`
const appliedPath = (owner: number) => `${directory}/${owner}.applied.json`
export const libraryPath = `${directory}/library.json`

interface WriteArgs {
  readonly path: string
  /** Null removes the file. */
  readonly content: string | null
  readonly title: string
}

export type ConfigFiles = ReturnType<typeof openConfigFiles>

/** Opens the files of the rules of all owners. */
export function openConfigFiles(files: Files) {
  return {
    read: async (owner: number) => (await parsed(files, ownerPath(owner), AccessConfig)) ?? emptyConfig,
    readApplied: (owner: number) => parsed(files, appliedPath(owner), AppliedConfig),
    readLibrary: async (): Promise<LibraryConfig> =>
      (await parsed(files, libraryPath, LibraryConfig)) ?? { version: 1, rules: builtInRules },
    write: writeConfig(files),
  }
}

/** The arguments of the step that writes the rules of an owner. */
export const ownerFile = (owner: number, config: AccessConfig | null): WriteArgs => ({
  path: ownerPath(owner),
  content: textOf(config),
  title: `${config === null ? 'Remove' : 'Write'} the access rules of the owner`,
})

/** The arguments of the step that remembers what nginx evaluates. */
export const appliedFile = (owner: number, config: AppliedConfig | null): WriteArgs => ({
  path: appliedPath(owner),
  content: textOf(config),
  title: 'Remember which access rules nginx evaluates',
})

/** The arguments of the step that writes the library of all owners. */
export const libraryFile = (config: LibraryConfig): WriteArgs => ({
  path: libraryPath,
  content: textOf(config),
  title: 'Write the library of access rules, for all owners',
})

const textOf = (config: object | null): string | null =>
  config === null ? null : `${JSON.stringify(config, null, 1)}\n`

function writeConfig(files: Files): StepKind<WriteArgs, Was<string>, null> {
  const diffOf = (path: string, was: string | undefined, next: string | undefined) =>
    unifiedDiff(path, withoutKey(was), withoutKey(next))
  return stateStep<WriteArgs, string>({
    name: 'webacl.write-config',
    plan: async ({ path, content, title }) => ({
      title,
      files: [{ path, diff: diffOf(path, await files.read(path), content ?? undefined) }],
    }),
    changed: ({ path }, was, wanted) => ({ files: [{ path, diff: diffOf(path, was, wanted) }] }),
    read: ({ path }) => files.read(path),
    wanted: ({ content }) => content ?? undefined,
    write: async ({ path }, content) => {
      if (content === undefined) return files.remove(path)
      await files.makeDirectory(directory, { mode: 0o700 })
      return files.write(path, content, { rights: { mode: 0o600 } }).catch((error: unknown) => {
        if (error instanceof Problem || !(error instanceof Error)) throw error
        throw RulesNotStored(`${path}: ${error.message}`)
      })
    },
  })
}

const withoutKey = (text: string | undefined): string | undefined =>
  text?.replace(/"challenge_key": "[^"]*"/, '"challenge_key": "…"')

async function parsed<Schema extends TSchema>(
  files: Files,
  path: string,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  const text = await files.read(path)
  if (text === undefined) return undefined
  const value = jsonOf(text)
  if (!Check(schema, value)) throw RulesUnreadable(`${path} does not contain access rules of version 1`)
  return value
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
