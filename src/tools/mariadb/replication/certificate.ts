import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { Host } from '../../../host/index.ts'
import { createSelfSigned, ownNames } from '../../../host/self-signed.ts'

const folder = '/etc/mysql/hostreeve'

/** The certificate and the key with which MariaDB encrypts connections, where it has no others. */
export const ownCertificate = { cert: `${folder}/server.crt`, key: `${folder}/server.key` }

type Parts = Pick<Host, 'files' | 'accounts'>

interface CertificateArgs {
  /** The certificate of the server; one of another file than the panel's own is only read. */
  readonly path: string
}

interface Pair {
  readonly cert?: true
  readonly key?: true
}

/** The step that makes a key and a certificate for MariaDB where there are none, and returns the certificate, which replicas pin. */
export function makeCertificate({
  files,
  accounts,
}: Parts): StepKind<CertificateArgs, Was<Pair>, { readonly certificate: string }> {
  return stateStep<CertificateArgs, Pair, { readonly certificate: string }>({
    name: 'mariadb.make-certificate',
    plan: ({ path }) => ({
      title: 'Make a certificate for connections to MariaDB where it has none',
      details: [`${path}; its key is readable by MariaDB alone`],
    }),
    read: async ({ path }) => {
      if (path !== ownCertificate.cert) return {}
      const [cert, key] = await Promise.all([files.read(ownCertificate.cert), files.read(ownCertificate.key)])
      if (cert === undefined && key === undefined) return undefined
      return { ...(cert !== undefined && { cert: true }), ...(key !== undefined && { key: true }) }
    },
    wanted: ({ path }) => (path === ownCertificate.cert ? { cert: true, key: true } : {}),
    write: async (_args, state) => {
      if (state === undefined) {
        await files.remove(ownCertificate.cert)
        await files.remove(ownCertificate.key)
        return
      }
      const { uid, gid } = (await accounts.find('mysql')) ?? { uid: 0, gid: 0 }
      const { commonName, names } = ownNames()
      const { cert, key } = await createSelfSigned(commonName, names, new Date())
      await files.makeDirectory(folder)
      await files.write(ownCertificate.key, key, { rights: { mode: 0o600, uid, gid } })
      await files.write(ownCertificate.cert, cert)
    },
    result: async ({ path }) => ({ certificate: (await files.read(path)) ?? '' }),
  })
}
