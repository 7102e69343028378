/**
 * A panel that kills itself at a point of a provisional change: `node killed-trial.ts DATA_DIR FILES_DIR POINT
 * SECONDS [confirm|cancel|recover]`.
 */
import { basename } from 'node:path'
import { until } from '../../../../test/support/until.ts'
import { openParcels } from '../../testing/parcel.ts'
import { armedFile, openTrials, realClocks } from './bench.ts'

const [, , dataDir = '', directory = '', killAt, seconds, mode] = process.argv
const reach = (point: string): void => {
  if (point === killAt) process.kill(process.pid, 'SIGKILL')
}

const written = armedFile(({ path }) => reach(`half:${basename(path)}`))
const kind: typeof written = {
  ...written,
  undo: async (args, before) => {
    await written.undo(args, before)
    reach(`undone:${basename(args.path)}`)
  },
}
const store = await openParcels(dataDir)
const trials = openTrials(store, { clocks: realClocks(`${dataDir}/clocks`), kind, onPoint: reach })
if (mode === 'recover') {
  await trials.recover()
  const changes = store.db.selectFrom('changes').select('id').where('state', '!=', 'settled')
  await until(async () => (await changes.execute()).length === 0)
} else {
  const { changeId } = await trials.try(directory, Number(seconds))
  reach('waiting')
  if (mode === 'confirm') await trials.confirm(changeId)
  if (mode === 'cancel') await trials.cancel(changeId)
}
await trials.executor.close()
await store.close()
