import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../host/files.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { orderStep } from './order-step.ts'

const directory = '/certificates'
const path = `${directory}/1-a.pem`
const made = createSelfSigned('a.test', [{ type: 'dns', value: 'a.test' }], new Date('2026-11-01T00:00:00Z'))
const pemOf = async () => Object.values(await made).join('')

proveStep<{ readonly files: Files }>('certificates.order', {
  machine: (t) => ({ files: openFiles(scratchRoot(t)) }),
  open: ({ files }, door) => orderStep({ files: door(files), directory, pathOf: () => path, obtain: pemOf }),
  look: async ({ files }) => ({
    isThere: (await files.read(path)) === (await pemOf()),
    mode: (await files.facts(path))?.mode ?? null,
  }),
  withoutHandEdit: 'The file has a new name, which no other program knows',
  cases: {
    'a new certificate': {
      args: {
        website_id: 1,
        names: ['a.test'],
        directory: 'https://ca.test/',
        file: '1-a.pem',
        replaces: null,
      },
      arrange: ({ files }) => files.makeDirectory(directory),
      wanted: { isThere: true, mode: 0o600 },
      returns: { issuer: 'a.test', ari_id: null },
    },
  },
})
