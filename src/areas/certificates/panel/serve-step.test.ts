import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../../host/files.ts'
import { createSelfSigned } from '../../../host/self-signed.ts'
import { openOwnPair } from './own-pair.ts'
import { panelServeStep } from './serve-step.ts'

interface Machine {
  readonly files: Files
  readonly former: string
  readonly wanted: string
}

const certPath = '/data/tls/panel.crt'

proveStep<Machine>('certificates.serve-panel', {
  machine: async (t) => {
    const files = openFiles(scratchRoot(t))
    const names = [{ type: 'dns' as const, value: 'panel.example.com' }]
    const { cert: former, key } = await createSelfSigned('former', names, new Date())
    const { cert: wanted } = await createSelfSigned('wanted', names, new Date(), key)
    await files.makeDirectory('/data')
    await files.makeDirectory('/data/tls')
    await files.write(certPath, former)
    await files.write('/data/tls/panel.key', key)
    return { files, former, wanted }
  },
  open: ({ files }, door) => panelServeStep(openOwnPair(door(files), { dataDir: '/data' })),
  look: async ({ files, former, wanted }) => {
    const cert = await files.read(certPath)
    return cert === wanted ? 'wanted' : cert === former ? 'former' : cert
  },
  cases: {
    'another certificate': {
      args: ({ wanted }) => ({ cert: wanted }),
      wanted: 'wanted',
      handEdit: ({ files }) => files.write(certPath, 'edited'),
    },
  },
})
