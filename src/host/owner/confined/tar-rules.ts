import { Refusal, type ByteString, type ExtractLimits } from './calls.ts'
import { isReserved } from './paths.ts'
import type { TarHeader } from './tar-headers.ts'

/** The reason why a later volume of an archive is refused. */
export const oneOfSeveral = 'it is one of several volumes, and multi-volume archives are not supported'

/** Stands for the target of a link whose content is not read: it leads nowhere else. */
export const unreadTarget = '.'

const mostSeconds = 0o77777777777

/** Decides on one entry after another; records the links, because a later entry must not pass through one. */
export class TarRules {
  readonly #limits: ExtractLimits
  readonly #onEntry: (entry: TarHeader) => void
  readonly #links = new Map<ByteString, ByteString>()
  /** The folders whose owner may not fill or list them, with their final modes. */
  readonly closedFolders = new Map<ByteString, number>()
  entries = 0
  bytes = 0

  /** `onEntry` receives each entry that may be written. */
  constructor(limits: ExtractLimits, onEntry: (entry: TarHeader) => void = () => {}) {
    this.#limits = limits
    this.#onEntry = onEntry
  }

  /** Returns the entry as it may be written, undefined for the archive's root; throws if the entry makes the archive inadmissible. */
  admit(given: TarHeader): TarHeader | undefined {
    const header = this.#withoutLinkedLink(given)
    const type = typeOf(header)
    const name = this.#checkedName(header.name)
    this.entries++
    this.bytes += header.size
    if (this.entries > this.#limits.maxEntries)
      throw refused(header.name, `more than ${this.#limits.maxEntries} entries`)
    if (this.bytes > this.#limits.maxBytes)
      throw refused(header.name, `more than ${this.#limits.maxBytes} bytes unpacked`)
    if (name === '') return undefined
    if (type !== '2' && this.#links.has(name)) throw refused(header.name, 'an entry in the place of a link')
    if (type === '2') this.#admitLink(name, header)
    const linkName = type === '1' ? this.#hardLinkTarget(header) : type === '2' ? header.linkName : ''
    const mode = type === '5' ? this.#folderMode(name, header.mode & 0o1777) : header.mode & 0o777
    const mtime = Math.min(Math.max(header.mtime, -mostSeconds), mostSeconds)
    const admitted = {
      name,
      type,
      size: type === '0' ? header.size : 0,
      mode,
      mtime,
      nanos: header.nanos ?? 0,
      linkName,
    }
    this.#onEntry(admitted)
    return admitted
  }

  // A second name of a link becomes a link to the same target: as a hard link it could not be distinguished from a link that leads elsewhere from its destination.
  #withoutLinkedLink(header: TarHeader): TarHeader {
    if (header.type !== '1' || header.size !== 0 || this.#links.size === 0) return header
    const linkName = this.#links.get(this.#checkedName(header.linkName))
    return linkName === undefined ? header : { ...header, type: '2', linkName }
  }

  // Until the tree is at its destination, the owner's bits allow filling, moving and removing it.
  #folderMode(name: ByteString, mode: number): number {
    if ((mode & 0o700) === 0o700) this.closedFolders.delete(name)
    else this.closedFolders.set(name, mode)
    return mode | 0o700
  }

  #checkedName(given: ByteString): ByteString {
    if (given === '' || given.includes('\0')) throw refused(given, 'an empty name, or NUL in a name')
    if (given.startsWith('/')) throw refused(given, 'an absolute name')
    const parts = given.split('/').filter((part) => part !== '' && part !== '.')
    if (parts.includes('..')) throw refused(given, 'a name with ..')
    if (parts.length > this.#limits.maxDepth)
      throw refused(given, `deeper than ${this.#limits.maxDepth} folders`)
    if (given.length > 4000 || parts.some((part) => part.length > 255))
      throw refused(given.slice(0, 300), 'a name that is too long')
    if (parts.some(isReserved)) throw refused(given, 'a reserved name')
    for (let end = 1; this.#links.size > 0 && end < parts.length; end++) {
      if (this.#links.has(parts.slice(0, end).join('/')))
        throw refused(given, 'a name that passes through a link')
    }
    return parts.join('/')
  }

  // `..` may only come first in the target: after a name that is itself a link it would mean another folder.
  #admitLink(name: ByteString, header: TarHeader): void {
    const target = header.linkName
    if (target === '' || target.includes('\0') || target.length > 4000)
      throw refused(header.name, 'a link without a valid target')
    if (target.startsWith('/')) throw refused(header.name, 'a link to an absolute name')
    const parts = target.split('/').filter((part) => part !== '' && part !== '.')
    const ups = parts.findIndex((part) => part !== '..')
    const steps = ups < 0 ? parts.length : ups
    if (steps > name.split('/').length - 1)
      throw refused(header.name, 'a link that points out of the archive')
    if (parts.slice(steps).includes('..'))
      throw refused(header.name, 'a link with .. behind a name: it could point out of the archive')
    this.#links.set(name, target)
  }

  #hardLinkTarget(header: TarHeader): ByteString {
    const target = this.#checkedName(header.linkName)
    if (target === '') throw refused(header.name, 'a hard link to nothing')
    return target
  }
}

function typeOf(header: TarHeader): string {
  const { type } = header
  if (type === '3' || type === '4') throw refused(header.name, 'a device')
  if (type === '6') throw refused(header.name, 'a named pipe')
  if (type === 'M') throw refused(header.name, oneOfSeveral)
  if (type === 'S') throw refused(header.name, 'sparse entries are not supported')
  if (type === '7') return '0'
  if (!'0125'.includes(type)) throw refused(header.name, 'an entry of an unsupported type')
  if (type !== '0') {
    if (header.size !== 0 && type !== '1') throw refused(header.name, 'a folder or link with content')
    if (header.size !== 0) throw refused(header.name, 'a hard link with content')
    return type
  }
  if (!header.name.endsWith('/')) return '0'
  if (header.size !== 0) throw refused(header.name, 'a folder with content')
  return '5'
}

function refused(name: ByteString, why: string): Refusal {
  return new Refusal('REFUSED', name, why)
}
