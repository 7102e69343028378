import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { Files } from '../../host/files.ts'

/** Marks the image of a backup, which a clean-up spares; its value is the name of the container. */
export const backupLabel = 'hostreeve.backup'
/** The repository of the images of backups; the name of the container follows. */
export const backupRepository = 'hostreeve-backup'
const folder = '/var/backups/hostreeve/containers'
const manifestName = 'container.json'

/** The settings of a backed up container, without its environment, which its image has. */
export const Manifest = Type.Object({
  name: Type.String(),
  image: Type.String(),
  ports: Type.Array(
    Type.Object({
      ip: Type.String(),
      host: Type.Integer(),
      container: Type.Integer(),
      protocol: Type.Union([Type.Literal('tcp'), Type.Literal('udp')]),
    }),
  ),
  volumes: Type.Array(
    Type.Object({
      source: Type.String(),
      target: Type.String(),
      isReadOnly: Type.Boolean(),
      /** The file in the folder; null for a folder of the host, which is no part of the backup. */
      archive: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  restartPolicy: Type.Union([
    Type.Literal('no'),
    Type.Literal('always'),
    Type.Literal('unless-stopped'),
    Type.Literal('on-failure'),
  ]),
  network: Type.String(),
  isPrivileged: Type.Boolean(),
  memoryBytes: Type.Number(),
  cpus: Type.Number(),
})
export type Manifest = Static<typeof Manifest>

/** The folders of backups. A folder has one file per volume, and the settings of the container. */
export function openBackups(files: Files) {
  const at = (name: string, file = '') => join(folder, name, file)
  return {
    /** Creates a folder for a backup, which only root can read. */
    make: async (name: string) => {
      await files.makeDirectory(folder, { mode: 0o700 })
      await files.makeDirectory(at(name), { mode: 0o700 })
    },
    store: (name: string, file: string, ...rest: [Parameters<Files['store']>[1], AbortSignal]) =>
      files.store(at(name, file), ...rest),
    writeManifest: (name: string, manifest: Manifest) =>
      files.write(at(name, manifestName), JSON.stringify(manifest, null, 2), { rights: { mode: 0o600 } }),
    /** Returns the settings of a backup; undefined if there is none of this name. */
    readManifest: async (name: string): Promise<Manifest | undefined> => {
      const text = await files.read(at(name, manifestName))
      const manifest: unknown = text === undefined ? undefined : JSON.parse(text)
      return Check(Manifest, manifest) ? manifest : undefined
    },
    read: (name: string, file: string) => files.stream(at(name, file)),
    /** True if the folder has all of its files. */
    isComplete: async (name: string) => (await files.read(at(name, manifestName))) !== undefined,
    isThere: async (name: string) => (await files.facts(at(name))) !== undefined,
    remove: (name: string) => files.removeTree(at(name)),
    /** Lists the archives of all backups. */
    list: async () => {
      const names = await files.list(folder)
      const each = await Promise.all(
        names.map(async (name) =>
          (await files.list(at(name)))
            .filter((file) => file.endsWith('.tar'))
            .map((file) => ({ folder: name, name: file })),
        ),
      )
      return each.flat()
    },
  }
}

export type Backups = ReturnType<typeof openBackups>
