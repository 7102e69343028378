import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { createSelfSigned, ownNames } from '../host/self-signed.ts'
import { writeWhole } from '../store/whole-file.ts'
import { CannotStart } from './cannot-start.ts'

/** The panel's own certificate with its key, as PEM. */
export interface PanelCertificate {
  readonly cert: string
  readonly key: string
}

/** Reads the panel's certificate, or creates a self-signed one at the first start (decision 5.2). */
export async function panelCertificate(dataDir: string, now: Date): Promise<PanelCertificate> {
  const paths = { cert: `${dataDir}/tls/panel.crt`, key: `${dataDir}/tls/panel.key` }
  const [cert, key] = [await readIfAny(paths.cert), await readIfAny(paths.key)]
  if (cert !== '') return { cert, key } // the key is written first: the panel did not create a certificate without one
  const made = await selfSigned(now)
  await mkdir(`${dataDir}/tls`, { recursive: true, mode: 0o700 })
  writeWhole(paths.key, made.key, 0o600)
  writeWhole(paths.cert, made.cert, 0o644)
  return made
}

/** A missing file reads as an empty one, which a start on a full disk leaves. */
async function readIfAny(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Rejects a certificate that cannot be served: a file is damaged, or the two do not match. */
export function assertServable({ cert, key }: PanelCertificate, dataDir: string): PanelCertificate {
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return { cert, key }
  } catch (error) {
    throw new CannotStart(unservable(dataDir), { cause: error })
  }
  throw new CannotStart(unservable(dataDir))
}

const unservable = (dataDir: string) =>
  `${dataDir}/tls/panel.crt and panel.key are not a certificate and its private key: put the right files there, or remove both and the panel makes new ones`

async function selfSigned(now: Date): Promise<PanelCertificate> {
  const { commonName, names } = ownNames()
  return createSelfSigned(commonName, names, now)
}
