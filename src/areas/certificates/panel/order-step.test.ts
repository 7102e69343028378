import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../../host/files.ts'
import { createSelfSigned } from '../../../host/self-signed.ts'
import { panelOrderStep } from './order-step.ts'
import { openOwnPair, type Pair } from './own-pair.ts'

interface Machine {
  readonly files: Files
  readonly former: Pair
  /** What the authority issues for the key of the former one. */
  readonly issued: string
}

const name = 'panel.example.com'
const certPath = '/data/tls/panel.crt'
const keyPath = '/data/tls/panel.key'

proveStep<Machine>('certificates.order-panel', {
  machine: async (t) => {
    const files = openFiles(scratchRoot(t))
    const former = await createSelfSigned('former', [{ type: 'dns', value: 'former' }], new Date())
    const names = [{ type: 'dns' as const, value: name }]
    const { cert: issued } = await createSelfSigned(name, names, new Date(), former.key)
    await files.makeDirectory('/data')
    await files.makeDirectory('/data/tls')
    await files.write(certPath, former.cert)
    await files.write(keyPath, former.key)
    return { files, former, issued }
  },
  open: ({ files, issued }, door) =>
    panelOrderStep(openOwnPair(door(files), { dataDir: '/data' }), async () => issued),
  look: async ({ files, former, issued }) => {
    const cert = await files.read(certPath)
    return {
      cert: cert === issued ? 'issued' : cert === former.cert ? 'former' : cert,
      hasSameKey: (await files.read(keyPath)) === former.key,
    }
  },
  withoutHandEdit: 'A file that a person puts there is served by the next start alone',
  cases: {
    'a certificate for the key of the panel': {
      args: { name, directory: 'https://ca.test/', replaces: null },
      wanted: { cert: 'issued', hasSameKey: true },
      returns: { issuer: name, ari_id: null },
    },
  },
})
