import type { KeyObject } from 'node:crypto'
import type { Log } from '../../core/endpoint.ts'
import type { Host } from '../../host/index.ts'
import { type LicenceDocument, readSigned } from './document.ts'
import { ActivationFailed, LicenceNotStored } from './problems.ts'

/** Where the licence is stored, and what makes one valid. */
interface Storing {
  readonly files: Host['files']
  readonly path: string
  /** Undefined if none is configured. */
  readonly publicKey: KeyObject | undefined
  /** The names of this host. */
  readonly names: () => Promise<readonly string[]>
}

/** The stored licence of this host; only its signature makes it one, whoever wrote the file. */
export interface LicenceFile {
  read(): Promise<string | undefined>
  /** Checks a signed licence; throws if this host must not use it. */
  checked(text: string): Promise<LicenceDocument>
  /** Stores a licence, or removes it, and uses it from now on. */
  write(text: string | undefined): Promise<void>
  /** Uses what is stored; a licence that is not valid is logged, and none is used. */
  load(log: Log): Promise<void>
  /** The licence in use; undefined if there is none. */
  current(): LicenceDocument | undefined
}

/** Opens the file; nothing is read before `load`. */
export function openLicenceFile({ files, path, publicKey, names }: Storing): LicenceFile {
  let current: LicenceDocument | undefined
  const checked = async (text: string) => {
    if (publicKey === undefined)
      throw ActivationFailed('this panel has no key to verify licences with: set license_public_key')
    const document = readSigned(text, publicKey)
    if (!(await names()).includes(document.host.toLowerCase()))
      throw ActivationFailed(`the licence is for the host ${document.host}`)
    return document
  }
  return {
    checked,
    read: () => files.read(path),
    write: async (text) => {
      try {
        await (text === undefined ? files.remove(path) : files.write(path, text, { rights: { mode: 0o600 } }))
      } catch (cause) {
        throw LicenceNotStored(`${path} could not be written`, { cause })
      }
      current = text === undefined ? undefined : await checked(text).catch(() => undefined)
    },
    load: async (log) => {
      try {
        const text = await files.read(path)
        current = text === undefined ? undefined : await checked(text)
      } catch (error) {
        current = undefined
        log.warn({ err: error, path }, 'the stored licence is not used')
      }
    },
    current: () => current,
  }
}
