import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'

/** A restart of the assistant, with the check of its configuration, takes longer than a usual request. */
export const restartMs = 410_000

/** Closes a dialog, says what was done, and reads everything of the assistant again. */
export async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('ai', 'jobs')
}
