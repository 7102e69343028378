import type { StepKind } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { keyPath, sourcePath } from './layout.ts'
import { RepositoryUnreachable } from './problems.ts'

interface RepositoryArgs {
  /** The address of the vendor; null removes the repository. */
  readonly base: string | null
}

interface RepositoryState {
  readonly source?: string
  readonly hasKey?: true
}

const keyMs = 30_000
const mostKeyBytes = 64 * 1024
/** The address is a setting of the administrator, so it may be internal. */
const asker = { isAdmin: true }

/** Renders the source of apt: packages count only with a signature of the vendor's key. */
export const renderSource = (base: string): string =>
  `# Written by Hostreeve.\ndeb [signed-by=${keyPath}] ${base.replace(/\/+$/, '')}/releases/bundle/opensearch/2.x/apt stable main\n`

/** The step that adds the vendor's package repository with its key, or removes both. */
export function setRepository({
  files,
  fetch,
}: Pick<Host, 'files' | 'fetch'>): StepKind<RepositoryArgs, Was<RepositoryState>, null> {
  const wanted = ({ base }: RepositoryArgs) =>
    base === null ? undefined : { source: renderSource(base), hasKey: true as const }
  return stateStep<RepositoryArgs, RepositoryState>({
    name: 'opensearch.set-repository',
    plan: ({ base }) => ({
      title: base === null ? `Remove ${sourcePath}` : `Add the package repository of OpenSearch at ${base}`,
    }),
    read: async () => {
      const source = await files.read(sourcePath)
      const hasKey = (await files.facts(keyPath)) !== undefined
      return source === undefined && !hasKey
        ? undefined
        : { ...(source !== undefined && { source }), ...(hasKey && { hasKey }) }
    },
    wanted,
    write: async ({ base }, state) => {
      if (!state?.hasKey) await files.remove(keyPath)
      if (!state?.source) await files.remove(sourcePath)
      if (state?.hasKey && (await files.facts(keyPath)) === undefined && base !== null) {
        const key = await readKey(fetch, base)
        await files.makeDirectory('/etc/apt/keyrings', { mode: 0o755 })
        await files.write(keyPath, key)
      }
      if (state?.source) await files.write(sourcePath, state.source)
    },
    notUndone: 'the key is fetched again when the log store is installed',
  })
}

/** Fetches the key as text; apt takes it as it is. */
async function readKey(fetch: Host['fetch'], base: string): Promise<string> {
  const url = `${base.replace(/\/+$/, '')}/publickeys/opensearch.pgp`
  const signal = AbortSignal.timeout(keyMs)
  const { stream } = await fetch
    .open({ url, asker, maxBytes: mostKeyBytes, signal })
    .catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      throw RepositoryUnreachable(`${url}: ${error.message.replace(/^url: /, '')}`)
    })
  const text = Buffer.concat(await stream.toArray()).toString('latin1')
  if (!text.startsWith('-----BEGIN PGP PUBLIC KEY BLOCK-----'))
    throw RepositoryUnreachable(`${url}: must be an armoured OpenPGP key`)
  return text
}
