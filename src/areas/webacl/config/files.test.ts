import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { openFiles } from '../../../host/files.ts'
import { directory, openConfigFiles, ownerFile } from './files.ts'
import { emptyConfig } from './model.ts'

type Machine = ReturnType<typeof openFiles>

const { path, ...args } = ownerFile(7, emptyConfig)

proveStep<Machine>('webacl.write-config', {
  machine: async (t) => {
    const files = openFiles(scratchRoot(t))
    await files.makeDirectory(directory)
    return files
  },
  open: (files, door) => openConfigFiles(door(files)).write,
  look: async (files) => (await files.read(path)) ?? null,
  cases: {
    'the first rules of an owner': {
      args: { path, ...args },
      wanted: args.content,
      handEdit: (files) => files.write(path, 'by hand'),
    },
    'the last of them': {
      args: { ...ownerFile(7, null) },
      arrange: (files) => files.write(path, 'former'),
      wanted: null,
    },
  },
})
