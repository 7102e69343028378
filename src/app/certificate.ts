import 'reflect-metadata' // what @peculiar/x509 stands on, and must be there first
import * as x509 from '@peculiar/x509'
import { webcrypto } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'

/** The panel's own certificate with its key, as PEM. */
export interface PanelCertificate {
  readonly cert: string
  readonly key: string
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const validDays = 825

/** Reads the panel's certificate, or makes a self-signed one at the first start (decision 5.2). */
export async function panelCertificate(dataDir: string, now: Date): Promise<PanelCertificate> {
  const paths = { cert: `${dataDir}/tls/panel.crt`, key: `${dataDir}/tls/panel.key` }
  try {
    return { cert: await readFile(paths.cert, 'utf8'), key: await readFile(paths.key, 'utf8') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const made = await selfSigned(now)
  await mkdir(`${dataDir}/tls`, { recursive: true, mode: 0o700 })
  await writeFile(paths.key, made.key, { mode: 0o600 })
  await writeFile(paths.cert, made.cert, { mode: 0o644 })
  return made
}

async function selfSigned(now: Date): Promise<PanelCertificate> {
  x509.cryptoProvider.set(webcrypto as never)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const name = os.hostname().replaceAll(/[^a-zA-Z0-9.-]/g, '') || 'localhost'
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + validDays * 86_400_000),
    signingAlgorithm: algorithm,
    keys: keys as never,
    extensions: [
      new x509.SubjectAlternativeNameExtension(alternativeNames(name)),
      new x509.BasicConstraintsExtension(false),
    ],
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`,
  }
}

function alternativeNames(name: string) {
  const addresses = Object.values(os.networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ scopeid }) => !scopeid)
    .map(({ address }) => address)
  return [...new Set([name, 'localhost'])]
    .map((value) => ({ type: 'dns' as const, value }))
    .concat([...new Set(addresses)].map((value) => ({ type: 'ip', value })) as never)
}
