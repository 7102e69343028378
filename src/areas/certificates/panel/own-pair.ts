import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { Unavailable } from '../../../core/problem.ts'
import type { Files } from '../../../host/files.ts'
import type { Settings } from '../../deps.ts'

/** The panel's certificate with its chain, and its key, as PEM. */
export interface Pair {
  readonly cert: string
  readonly key: string
}

/** The files of the panel's certificate, and the listener that serves it. Its key stays: other panels remember it. */
export interface OwnPair {
  /** Undefined for a panel without a certificate. */
  readCertificate(): Promise<string | undefined>
  /** Throws if the panel has no certificate. */
  read(): Promise<Pair>
  /** Writes a certificate for the key, and serves it to new connections. */
  serve(cert: string): Promise<void>
}

/** Binds the files of the data folder; a panel whose store is in memory has none. */
export function openOwnPair(
  files: Files,
  { dataDir, serveCertificate }: Pick<Settings, 'dataDir' | 'serveCertificate'>,
): OwnPair {
  const folder = `${resolve(dataDir ?? '')}/tls`
  const readAny = async (name: string) =>
    dataDir === undefined ? undefined : (await files.read(`${folder}/${name}`)) || undefined
  const read = async () => {
    const [cert, key] = [await readAny('panel.crt'), await readAny('panel.key')]
    if (cert !== undefined && key !== undefined) return { cert, key }
    throw Unavailable(
      'The panel has no certificate: tls/panel.crt or tls/panel.key is missing in the data folder',
    )
  }
  return {
    readCertificate: () => readAny('panel.crt'),
    read,
    serve: async (cert) => {
      const { key } = await read()
      // a panel whose certificate is for another key does not start
      if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
        throw new Error('the certificate is for another key than that of the panel')
      await files.write(`${folder}/panel.crt`, cert, { rights: { mode: 0o644 } })
      serveCertificate?.({ cert, key })
    },
  }
}

/** Identifies a certificate with its chain by its text. */
export const digestOf = (cert: string): string => createHash('sha256').update(cert).digest('hex')
