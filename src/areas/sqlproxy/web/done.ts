import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'

/** Closes a dialog, says what was done, and reads the lists again. */
export async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('sqlproxy', 'jobs')
}
