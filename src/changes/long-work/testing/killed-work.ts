/**
 * A panel that works on a parcel, or recovers one, and kills itself at a point: `node killed-work.ts DATA_DIR
 * FILES_DIR POINT [recover | continues | thanked]`.
 */
import { openParcels } from '../../testing/parcel.ts'
import { foundAgain, openWorkBench, thanked } from './bench.ts'

const [, , dataDir, directory, killAt, mode] = process.argv as unknown as readonly [
  string,
  string,
  string,
  string,
  string,
  string | undefined,
]
const reach = (point: string): void => {
  if (point === killAt) process.kill(process.pid, 'SIGKILL')
}
const nameOf = ({ path }: { readonly path: string }) => path.split('/').at(-1)

const written = foundAgain((args) => reach(`half:${nameOf(args)}`))
const kind: typeof written = {
  ...written,
  undo: async (args, before) => {
    await written.undo(args, before)
    reach(`undone:${nameOf(args)}`)
  },
  check: async (args, before) => {
    reach(`check:${nameOf(args)}`)
    return written.check(args, before)
  },
}
const store = await openParcels(dataDir)
const bench = openWorkBench(
  store,
  mode === 'continues'
    ? { kind: { ...kind, continues: true }, work: { resumes: true }, onPoint: reach }
    : { kind, onPoint: reach },
)
if (mode === 'recover') {
  await bench.recoverAndStart()
} else {
  const { jobId } = await bench.work.ask(bench.asked(directory, mode === thanked ? { label: thanked } : {}))
  reach('ordered')
  await bench.start()
  await bench.work.ended(jobId, AbortSignal.timeout(20_000))
}
await bench.close()
await store.close()
console.log('finished')
