import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { StepKind } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { unifiedDiff } from '../../../core/unified-diff.ts'
import { FileTooLarge, type Files } from '../../../host/files.ts'
import { RulesNotStored, RulesUnreadable } from '../problems.ts'
import { builtInRules } from '../library/rules.ts'
import { AccessConfig, AppliedConfig, emptyConfig, LibraryConfig } from './model.ts'

/** The directory of the rules, which only root reads. */
export const directory = '/var/lib/hostreeve-access'

const ownerPath = (owner: number) => `${directory}/${owner}.json`
const appliedPath = (owner: number) => `${directory}/${owner}.applied.json`
export const libraryPath = `${directory}/library.json`

/** The panel reads no larger file of configuration. */
export const readableBytes = 16 * 1024 * 1024
/** The largest file of rules that an edit writes: applied, it has the conditions of the library as well. */
export const maxBytes = 12 * 1024 * 1024

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
    /** True if there are files of an owner, readable or not. */
    has: async (owner: number): Promise<boolean> => {
      const found = await Promise.all([ownerPath(owner), appliedPath(owner)].map((path) => files.facts(path)))
      return found.some((facts) => facts !== undefined)
    },
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
      try {
        if (content === undefined) return await files.remove(path)
        await files.makeDirectory(directory, { mode: 0o700 })
        return await files.write(path, content, { rights: { mode: 0o600 } })
      } catch (error) {
        if (error instanceof Problem || !(error instanceof Error)) throw error
        throw RulesNotStored(`${path}: ${error.message}`)
      }
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
  const text = await readText(files, path)
  if (text === undefined) return undefined
  const value = jsonOf(text)
  if (!Check(schema, value)) throw RulesUnreadable(`${path} does not contain access rules of version 1`)
  return value
}

/** Whatever keeps a file from being read is the contract's `read_error`. */
async function readText(files: Files, path: string): Promise<string | undefined> {
  try {
    return await files.read(path)
  } catch (error) {
    if (error instanceof Problem && error.kind === FileTooLarge)
      throw RulesUnreadable(`${path} is larger than the panel reads`)
    if (error instanceof Error && 'code' in error && !(error instanceof Problem))
      throw RulesUnreadable(`${path}: ${error.message}`)
    throw error
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
