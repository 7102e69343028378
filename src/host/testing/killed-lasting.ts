/** A panel that begins long work with a lasting program, to be killed: `node killed-lasting.ts DATA_DIR DIRECTORY`. */
import { openParcels } from '../../changes/testing/parcel.ts'
import { openLastingBench } from './lasting-work.ts'

const [, , dataDir, directory] = process.argv as unknown as readonly [string, string, string, string]
const store = await openParcels(dataDir)
while (store.nextId('changes') < 90_010); // no other test on this machine has a step of the same token
const bench = openLastingBench(store)
await bench.start()
await bench.work.ask(bench.asked(directory))
console.log('started')
