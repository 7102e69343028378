import { finalStep } from '../../../core/steps.ts'
import { type SiteName, pathOf } from '../depot.ts'
import type { Manifest } from '../manifest.ts'
import type { BackupParts } from '../step-parts.ts'
import { BackupDamaged } from '../problems.ts'
import { openPart, storePart } from './streams.ts'
import { keyId } from './write-point.ts'

interface CopyArgs extends SiteName {
  readonly name: string
  /** Encrypts the copy of a backup that is not encrypted on this host; null for none. */
  readonly passphrase: string | null
}

/** The step that copies a backup to S3; it is listed there once it is complete. */
export function copyPoint(on: BackupParts) {
  const { depot, copies } = on
  const kind = finalStep({
    name: 'sitebackups.copy',
    plan: ({ name, domain, passphrase }: CopyArgs) => ({
      title: `Copy the backup ${name} of ${domain} to S3`,
      details: passphrase === null ? [] : ['The copy is encrypted with the key of the server'],
    }),
    why: 'the copy stays until its backup is deleted',
    act: async (args, { signal, progress }) => {
      const local = (await depot.points(args)).find(({ name }) => name === args.name)
      if (local === undefined) throw BackupDamaged(`the backup ${args.name} is not on this host any more`)
      progress(null, `Copying ${args.name} to S3`)
      const { passphrase } = args
      try {
        await depot.begin(args, args.name)
        const sealed = passphrase === null ? local : await seal(on, { args, local, passphrase, signal })
        const manifest = { ...sealed, parts: sealed.parts.filter(({ kind }) => kind !== 'snapshot') }
        await depot.writeManifest(args, manifest)
        const staged = depot.unfinished(args, args.name)
        const own = new Set(passphrase === null ? manifest.parts.map(({ file }) => file) : [])
        const pathIn = (file: string) => (own.has(file) ? pathOf(args, args.name, file) : `${staged}/${file}`)
        await copies.put(args, { manifest, pathIn }, signal)
      } finally {
        await depot.discard(args, args.name)
      }
      return null
    },
    isDone: async (args) => {
      if (await depot.hasUnfinished(args, args.name)) return undefined
      const state = await copies.stateOf(args, args.name, AbortSignal.timeout(checkMs))
      return state === 'part' ? undefined : state === 'whole'
    },
  })
  const recover = async (args: CopyArgs) => {
    await depot.discard(args, args.name)
    const signal = AbortSignal.timeout(checkMs)
    await copies.endUploads(args, args.name, signal)
    if ((await copies.stateOf(args, args.name, signal)) === 'part')
      await copies.remove(args, [args.name], signal)
  }
  return { ...kind, recover }
}

const checkMs = 30_000

interface Sealing {
  readonly args: CopyArgs
  readonly local: Manifest
  readonly passphrase: string
  readonly signal: AbortSignal
}

/** Encrypts the parts into the folder of the copy; the snapshot stays here, as no restore needs it. */
async function seal(on: BackupParts, { args, local, passphrase, signal }: Sealing): Promise<Manifest> {
  const parts: Manifest['parts'] = []
  for (const part of local.parts.filter(({ kind }) => kind !== 'snapshot')) {
    const opening = { site: args, point: local.name, part }
    const file = `${part.file}.gpg`
    const path = `${on.depot.unfinished(args, local.name)}/${file}`
    const source = openPart(on, opening, { passphrase: null, signal })
    parts.push({ ...part, file, ...(await storePart(on, source, { path, passphrase, signal })) })
  }
  return { ...local, encrypted: true, key_id: keyId(local.chain, passphrase), parts }
}
