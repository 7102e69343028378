/**
 * A panel that carries out the five-step change and kills itself at a point: `node killed-panel.ts DATA_DIR
 * FILES_DIR POINT`.
 */
import { openExecutor } from '../executor.ts'
import { fileStep, fiveSteps, openParcels, orderOf, quiet } from './parcel.ts'

const [, , dataDir, directory, killAt] = process.argv as [string, string, string, string, string]
const reach = (point: string): void => {
  if (point === killAt) process.kill(process.pid, 'SIGKILL')
}

const store = await openParcels(dataDir)
const executor = openExecutor({ store, log: quiet, onPoint: reach })
const kind = fileStep('file.write', ({ path }) => reach(`half:${path.at(-1)}`))
await executor.execute(orderOf(async () => fiveSteps(store, directory, kind)))
await store.close()
console.log('finished')
