import { createHash, generateKeyPairSync } from 'node:crypto'
import type { Files } from '../../../host/files.ts'

/** Returns the key of the account with a certificate authority, which is made at the first order. */
export async function accountKeyOf(files: Files, folder: string, directory: string): Promise<string> {
  const path = `${folder}/${createHash('sha256').update(directory).digest('hex').slice(0, 16)}.key`
  const known = await files.read(path)
  if (known !== undefined && known !== '') return known
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  await files.makeDirectory(folder, { mode: 0o700 })
  await files.write(path, privateKey, { rights: { mode: 0o600 } })
  return privateKey
}
