import { createHash, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { type Change, change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { Unavailable } from '../../core/problem.ts'
import { type Bytes, success } from '../../core/reply.ts'
import { stateStep } from '../../core/steps.ts'
import type { Files } from '../../host/files.ts'
import { createSelfSigned, ownNames } from '../../host/self-signed.ts'
import type { Settings } from '../deps.ts'
import type { PanelCertificate } from './model.ts'
import { CertificateNotMade, CertificateUnreadable } from './problems.ts'

/** A certificate with its private key, as PEM. */
interface Pair {
  readonly cert: string
  readonly key: string
}

/** The panel's own certificate: in two files of the data folder, and served by its listener. */
export interface OwnCertificate {
  /** Throws if the panel has none, or it cannot be read. */
  read(): Promise<Pair>
  readonly replace: ReturnType<typeof replaceStep>
}

/** Binds the certificate; a panel whose store is in memory has none. */
export function openCertificate(
  files: Files,
  { dataDir, serveCertificate }: Pick<Settings, 'dataDir' | 'serveCertificate'>,
): OwnCertificate {
  const folder = `${resolve(dataDir ?? '')}/tls`
  const whyNone =
    dataDir === undefined
      ? 'it serves no HTTPS'
      : 'tls/panel.crt or tls/panel.key is missing in the data folder'
  const readAny = async (): Promise<Pair | undefined> => {
    const cert = dataDir === undefined ? undefined : await files.read(`${folder}/panel.crt`)
    const key = cert && (await files.read(`${folder}/panel.key`))
    return cert && key ? { cert, key } : undefined
  }
  return {
    read: async () => {
      const pair = await readAny()
      if (pair === undefined) throw Unavailable(`The panel has no certificate: ${whyNone}`)
      return pair
    },
    replace: replaceStep(readAny, async ({ cert, key }) => {
      await files.write(`${folder}/panel.key`, key, { rights: { mode: 0o600 } })
      await files.write(`${folder}/panel.crt`, cert, { rights: { mode: 0o644 } })
      serveCertificate?.({ cert, key })
    }),
  }
}

/** Connections that are open keep the former certificate; new ones get the new one. */
function replaceStep(read: () => Promise<Pair | undefined>, write: (pair: Pair) => Promise<void>) {
  return stateStep<Pair, Pair>({
    name: 'mcp.replace-certificate',
    plan: () => ({ title: "Replace the panel's certificate" }),
    preview: async (wanted) => shownChange(await read(), wanted),
    read,
    wanted: (args) => args,
    write: async (_args, pair) => {
      if (pair !== undefined) await write(pair)
    },
    changed: (_args, was, wanted) => shownChange(was, wanted),
  })
}

const shownChange = (was: Pair | undefined, wanted: Pair | undefined) => ({
  objects: [
    {
      name: 'SHA-256 of the certificate',
      before: was ? fingerprintOf(was.cert) : null,
      after: wanted ? fingerprintOf(wanted.cert) : null,
    },
  ],
})

/** Describes the panel's certificate. */
export async function showCertificate(own: OwnCertificate): Promise<PanelCertificate> {
  const certificate = parsed((await own.read()).cert)
  const { subject, issuer, subjectAltName = '', serialNumber: serial, publicKey } = certificate
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return {
    subject: onOneLine(subject),
    issuer: onOneLine(issuer),
    names: subjectAltName.split(', ').flatMap((name) => shortForm(name.replace(/^[^:]*:/, '')) || []),
    serial,
    fingerprint_sha256: certificate.fingerprint256,
    public_key_sha256: createHash('sha256').update(spki).digest('base64'),
    valid_from: new Date(certificate.validFrom).toISOString(),
    valid_until: new Date(certificate.validTo).toISOString(),
    self_signed: certificate.checkIssued(certificate) && certificate.verify(publicKey),
  }
}

/** Returns the certificate as PEM, without its private key. */
export async function downloadCertificate(own: OwnCertificate): Promise<Bytes> {
  const { cert } = await own.read()
  parsed(cert) // whatever else the file contains is not handed out
  const content = Buffer.from(cert)
  return {
    stream: Readable.from([content]),
    mediaType: 'application/x-pem-file',
    fileName: 'panel.crt',
    sizeBytes: content.length,
  }
}

/** Makes a self-signed certificate for the names that this host has now. The key pair stays unless a new one is asked for. */
export async function regenerateCertificate(
  own: OwnCertificate,
  isNewKey: boolean,
  now: Date,
): Promise<Change<{ success: true }>> {
  const { key } = await own.read()
  const { commonName, names } = ownNames()
  const pair = await createSelfSigned(commonName, names, now, isNewKey ? undefined : key).catch((error) => {
    const why = `new_key: the key pair of the panel cannot be kept, use true (${(error as Error).message})`
    throw CertificateNotMade(why, { cause: error })
  })
  return change({
    summary: `Make a new certificate for the panel, ${isNewKey ? 'with a new key pair' : 'with its key pair'}`,
    locks: [singleLock('panel-certificate')],
    steps: [step(own.replace, pair)],
    reply: success,
  })
}

function parsed(cert: string): X509Certificate {
  try {
    return new X509Certificate(cert)
  } catch (error) {
    throw CertificateUnreadable('tls/panel.crt in the data folder contains no certificate', { cause: error })
  }
}

/** Null for a damaged file, which a new certificate replaces as well. */
function fingerprintOf(cert: string): string | null {
  try {
    return new X509Certificate(cert).fingerprint256
  } catch {
    return null
  }
}

/** An address of IPv6 with `::`, as people write it; anything else as it is. */
const shortForm = (name: string): string => URL.parse(`http://[${name}]`)?.hostname.slice(1, -1) ?? name

const onOneLine = (name: string): string => name.split('\n').join(', ')
