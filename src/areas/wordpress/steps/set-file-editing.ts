import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { type FileEditing, fileEditingIn, withFileEditing } from '../config-text.ts'
import { readHomeFile, writeHomeFile } from '../../websites/index.ts'
import { ConfigUnclear } from '../problems.ts'
import type { Place } from '../run-script.ts'

interface FileEditingArgs extends Place {
  readonly isForbidden: boolean
}

interface FileEditingParts {
  readonly ownerOf: (username: string) => Promise<Owner>
  /** Returns why PHP refuses a text; undefined if it accepts it. */
  readonly lint: Lint
}

type Lint = (owner: Owner, version: string, content: string) => Promise<string | undefined>

const checkedPath = '/run/hostreeve/wp-config.php'
const pathOf = ({ domain }: Place): string => `sites/${domain}/public/wp-config.php`

/** The step that sets whether plugins and themes can be edited in the browser; PHP checks the file before it is written. */
export function setFileEditing({
  ownerOf,
  lint,
}: FileEditingParts): StepKind<FileEditingArgs, Was<FileEditing>, null> {
  return stateStep<FileEditingArgs, FileEditing>({
    name: 'wordpress.set-file-editing',
    plan: ({ domain, isForbidden }) => ({
      title: `${isForbidden ? 'Forbid' : 'Allow'} the editing of files in wp-config.php of ${domain}`,
    }),
    read: async (args) => fileEditingIn((await configOf(await ownerOf(args.username), args)).text),
    refuse: async (args) => {
      const { text } = await configOf(await ownerOf(args.username), args)
      withFileEditing(text, wantedFrom(args, fileEditingIn(text)))
    },
    wanted: (args, was) => wantedFrom(args, was),
    write: async (args, state) => {
      if (state === undefined) return
      const owner = await ownerOf(args.username)
      const { text, mode, etag } = await configOf(owner, args)
      const next = withFileEditing(text, state)
      const refusal = await lint(owner, args.version, next)
      if (refusal !== undefined) throw ConfigUnclear(`wp-config.php: PHP refuses it: ${refusal}`)
      await writeHomeFile(owner, pathOf(args), next, { mode, ifMatch: etag })
    },
  })
}

const wantedFrom = ({ isForbidden }: FileEditingArgs, was: FileEditing | undefined): FileEditing => {
  if (isForbidden) return 'forbidden'
  return was === 'unset' ? 'unset' : 'allowed'
}

async function configOf(owner: Owner, args: Place) {
  const found = await readHomeFile(owner, pathOf(args))
  if (found === undefined) throw ConfigUnclear('wp-config.php is missing in the document root')
  if (Buffer.from(found.text).includes('\uFFFD'))
    throw ConfigUnclear('wp-config.php is not in UTF-8: edit it yourself')
  return found
}

/** Has PHP read a text in the owner's confinement, without running it. */
export const lintPhp: Lint = async (owner, version, content) => {
  const { code, stdout, stderr } = await owner.run([`/usr/bin/php${version}`, '-n', '-l', checkedPath], {
    file: { path: checkedPath, content },
    maxBytes: 64 * 1024,
    timeoutMs: 60_000,
  })
  return code === 0 ? undefined : `${stdout} ${stderr}`.trim().slice(0, 500)
}
