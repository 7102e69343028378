import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { openFiles } from '../../../host/files.ts'
import { ownerFile } from './files.ts'
import { openConfigFiles } from './files.ts'
import { emptyConfig } from './model.ts'

type Machine = ReturnType<typeof openFiles>

const { path, ...args } = ownerFile(7, emptyConfig)

proveStep<Machine>('webacl.write-config', {
  machine: async (t) => openFiles(scratchRoot(t)),
  open: (files, door) => openConfigFiles(door(files)).write,
  look: async (files) => (await files.read(path)) ?? null,
  cases: {
    'the first rules of an owner': { args: { path, ...args }, wanted: args.content },
    'the last of them': {
      args: ownerFile(7, null),
      start: async (files) => {
        await files.makeDirectory('/var/lib/hostreeve-access')
        await files.write(path, 'former')
      },
      wanted: null,
    },
  },
})
