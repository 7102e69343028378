import type { Config } from '../config.ts'
import { serve } from '../serve.ts'

const lastMomentMs = 5000

/** Runs the panel until it is told to stop; SIGTERM and SIGINT end it within five seconds (decision 5.4). */
export async function runServe(config: Config): Promise<number> {
  const told = untilToldToStop()
  const serving = await serve(config, (line) => process.stdout.write(`${line}\n`))
  await told
  await serving.stop()
  return 0
}

/** Listens as long as the process lives: the second signal of a group or of a wrapper must not cut the requests in progress. */
function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      setTimeout(() => process.exit(1), lastMomentMs).unref()
      resolve()
    }
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop)
  })
}
