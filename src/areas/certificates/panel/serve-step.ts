import { stateStep } from '../../../core/steps.ts'
import { factsOf } from '../pem.ts'
import type { OwnPair } from './own-pair.ts'

/** The step that serves the panel with another certificate for its key. */
export const panelServeStep = (own: OwnPair) =>
  stateStep<{ readonly cert: string }, string>({
    name: 'certificates.serve-panel',
    plan: ({ cert }) => ({
      title: `Serve the panel with a certificate of ${factsOf(cert).issuer}`,
      details: ['The key pair stays; open connections keep the former certificate'],
    }),
    read: own.readCertificate,
    wanted: ({ cert }) => cert,
    write: async (_args, cert) => {
      if (cert !== undefined) await own.serve(cert)
    },
  })
