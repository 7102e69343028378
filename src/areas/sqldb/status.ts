import type { Sqldb } from './context.ts'
import type { SqldbStatus } from './model.ts'

/** Reads whether the server is installed and runs. */
export async function readStatus({ tool }: Sqldb): Promise<SqldbStatus> {
  const { present, version, reason } = await tool.detect()
  return { installed: present, running: present && (await tool.isRunning()), version, reason }
}
