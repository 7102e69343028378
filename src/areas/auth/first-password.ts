import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import type { Files } from '../../host/files.ts'

/** The file of the random password of the first superuser, below the data folder; only root can read it. */
export const firstPasswordFile = 'first-password'

/** Renders the file, which tells whose password it is. */
export const renderFirstPassword = (email: string, password: string): string =>
  `email: ${email}\npassword: ${password}\n`

/** The random password of the first superuser, as long as it lies in its file. */
export interface FirstPassword {
  /** Resolves to true if the file has the password of this user. */
  isOf(email: string): Promise<boolean>
  readonly remove: StepKind<Record<string, never>, null, null>
}

/** Binds the file; a panel without a data folder has none. */
export function openFirstPassword(
  files: Pick<Files, 'read' | 'remove' | 'facts'>,
  dataDir: string | undefined,
): FirstPassword {
  const path = `${dataDir}/${firstPasswordFile}`
  return {
    isOf: async (email) =>
      dataDir !== undefined && ((await files.read(path)) ?? '').startsWith(`email: ${email}\n`),
    remove: finalStep({
      name: 'auth.remove-first-password',
      plan: () => ({ title: `Remove ${path}, as its password has been used` }),
      why: 'the password was there to be used once',
      act: async () => {
        await files.remove(path)
        return null
      },
      isDone: async () => (await files.facts(path)) === undefined,
    }),
  }
}
