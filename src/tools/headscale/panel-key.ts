import type { StepKind } from '../../core/change.ts'
import type { Host } from '../../host/index.ts'
import { configurationPath, keyPath, programPath } from './layout.ts'
import { KeyFailed } from './problems.ts'
import { prefixOf, storedKeyIn } from './stored-key.ts'

/** The panel renews its key before it ends, and is never without one. */
const keyDays = 90

interface Before {
  /** The file of the former key; null if there is none. */
  readonly text: string | null
}

/** The step that makes the key by which the panel asks the API, through the socket that only root reaches. */
export function makePanelKey({ run, files }: Pick<Host, 'run' | 'files'>): StepKind<null, Before, null> {
  const cli = (...rest: readonly string[]) =>
    run([files.real(programPath), '-c', files.real(configurationPath), ...rest], {
      timeoutMs: 30_000,
      maxBytes: 64 * 1024,
    })
  /** An expired key is of no use to whoever finds it; one that cannot be expired ends by itself. */
  const expire = async (text: string | null) => {
    const stored = storedKeyIn(text ?? undefined)
    if (stored) await cli('apikeys', 'expire', `--prefix=${prefixOf(stored.key)}`)
  }
  const current = async () => (await files.read(keyPath)) ?? null
  return {
    name: 'headscale.make-panel-key',
    plan: () => ({
      title: 'Make a new API key for the panel',
      details: [`It is valid for ${keyDays} days, and in ${keyPath}, which only root can read`],
    }),
    observe: async () => ({ text: await current() }),
    act: async (_args, { before }) => {
      const { code, stdout, stderr } = await cli('apikeys', 'create', `--expiration=${keyDays}d`)
      const [key] = /hskey-api-[\w-]{20,}/.exec(stdout) ?? []
      if (code !== 0 || key === undefined)
        throw KeyFailed(
          `headscale apikeys create: ${(stderr.trim() || `exit status ${code}`).slice(0, 1000)}`,
        )
      const expires_at = new Date(Date.now() + keyDays * 86_400_000).toISOString()
      await files.write(keyPath, JSON.stringify({ key, expires_at }), { rights: { mode: 0o600 } })
      await expire(before.text)
      return null
    },
    undo: async (_args, { text }) => {
      const now = await current()
      if (now === text) return
      if (text === null) {
        await expire(now)
        await files.remove(keyPath)
      } // otherwise the former key may be expired already, and the new one works
    },
    notUndone: 'the former key has been expired',
    check: async (_args, { text }) => ((await current()) === text ? 'before' : 'wanted'),
  }
}
