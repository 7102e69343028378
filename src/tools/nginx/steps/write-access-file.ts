import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { accessDirectory } from '../access/layout.ts'
import type { NginxParts } from '../parts.ts'

export interface AccessFileArgs {
  /** Of the access directory. */
  readonly name: string
  /** Null removes the file. */
  readonly content: string | null
}

/** The step that writes or removes the Lua module, or the compiled rules of an owner. nginx loads them with its next configuration. */
export function writeAccessFile({
  host: { files },
  layout,
}: Pick<NginxParts, 'host' | 'layout'>): StepKind<AccessFileArgs, Was<string>, null> {
  const pathOf = ({ name }: AccessFileArgs) => {
    if (!/^[a-z0-9-]+\.(?:lua|rules)$/.test(name)) throw new Error(`not a file of access rules: ${name}`)
    return `${accessDirectory(layout)}/${name}`
  }
  return stateStep({
    name: 'nginx.write-access-file',
    plan: (args) => ({ title: `${args.content === null ? 'Remove' : 'Write'} ${pathOf(args)}` }),
    read: (args) => files.read(pathOf(args)),
    wanted: ({ content }) => content ?? undefined,
    write: async (args, content) => {
      if (content === undefined) return files.remove(pathOf(args))
      await files.makeDirectory(accessDirectory(layout), { mode: 0o700 })
      return files.write(pathOf(args), content, { rights: { mode: 0o600 } })
    },
  })
}
