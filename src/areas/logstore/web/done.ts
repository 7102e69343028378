import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'

/** Closes a dialog, tells what was done, and reads the pages again. */
export async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('logstore', 'jobs')
}
