import type { StepKind, StepRun } from '../../../core/change.ts'
import { ariIdOf } from '../acme/renewal-info.ts'
import { covers, factsOf } from '../pem.ts'
import { renewalOf } from '../renewal.ts'
import { digestOf, type OwnPair } from './own-pair.ts'

export interface PanelOrderArgs {
  readonly name: string
  readonly directory: string
  readonly replaces: string | null
}

/** What an issued certificate says, as it is stored. */
export interface PanelOrderResult {
  readonly fingerprint: string
  readonly issuer: string
  readonly not_before: string
  readonly not_after: string
  readonly renew_at: string
  readonly ari_id: string | null
}

interface Before {
  /** The certificate that the panel served; null if it had none. */
  readonly cert: string | null
}

/** Returns a certificate for this key, with its chain, as PEM. */
export type ObtainForKey = (args: PanelOrderArgs, key: string, run: StepRun<unknown>) => Promise<string>

/** The step that has a certificate authority issue a certificate for the panel's name and key, and serves it. */
export function panelOrderStep(
  own: OwnPair,
  obtain: ObtainForKey,
): StepKind<PanelOrderArgs, Before, PanelOrderResult> {
  const readNew = async ({ name }: PanelOrderArgs, { cert }: Before) => {
    const now = await own.readCertificate()
    if (now === undefined || now === cert) return undefined
    const result = await resultOf(now)
    return covers(factsOf(now).names, name) ? result : undefined
  }
  return {
    name: 'certificates.order-panel',
    plan: ({ name, directory }) => ({
      title: `Order a certificate for ${name}, and serve the panel with it`,
      details: [
        `${directory} checks that the name leads to port 80 of this host`,
        'The key pair stays; open connections keep the former certificate',
      ],
    }),
    observe: async () => ({ cert: (await own.readCertificate()) ?? null }),
    act: async (args, run) => {
      const { key } = await own.read()
      const cert = await obtain(args, key, run)
      await own.serve(cert)
      return resultOf(cert)
    },
    undo: async (_args, { cert }) => {
      if (cert !== null && (await own.readCertificate()) !== cert) await own.serve(cert)
    },
    check: async (args, before) => {
      if (((await own.readCertificate()) ?? null) === before.cert) return 'before'
      return (await readNew(args, before)) === undefined ? 'other' : 'wanted'
    },
    again: readNew,
    notUndone:
      'a certificate authority has issued the certificate: remove it to go back to a self-signed one',
  }
}

async function resultOf(cert: string): Promise<PanelOrderResult> {
  const { issuer, notBefore, notAfter } = factsOf(cert)
  return {
    fingerprint: digestOf(cert),
    issuer,
    not_before: notBefore.toISOString(),
    not_after: notAfter.toISOString(),
    renew_at: renewalOf({ notBefore, notAfter }, undefined, 'panel').toISOString(),
    ari_id: await ariIdOf(cert),
  }
}
