import type { Config } from '../config.ts'
import { serve } from '../serve.ts'

const lastMomentMs = 5000

/** Runs the panel until it is told to stop; SIGTERM and SIGINT end it within five seconds (decision 5.4). */
export async function runServe(config: Config): Promise<number> {
  const serving = await serve(config, (line) => process.stdout.write(`${line}\n`))
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
  setTimeout(() => process.exit(1), lastMomentMs).unref()
  await serving.stop()
  return 0
}
