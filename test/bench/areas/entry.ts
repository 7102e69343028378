import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readConfig } from '../../../src/app/config.ts'
import { serve } from '../../../src/app/serve.ts'
import { loadAreas } from './chosen.ts'

const settleMs = 1000

// serve AREA ...: starts a panel with these areas, and prints the bytes that it keeps at rest
void Promise.resolve().then(measure)

async function measure(): Promise<void> {
  loadAreas(process.argv.slice(3))
  await serve(readConfig(process.env), () => {})
  await pause(settleMs)
  setFlagsFromString('--bytecode-old-age=1')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: object) => Promise<unknown>
  await collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  process.stdout.write(JSON.stringify(heapUsed + external - arrayBuffers), () => process.exit())
}
