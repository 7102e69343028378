import type { Files } from '../../host/files.ts'

/**
 * Opens the directory of the panel's copies of the configuration; only root reads it, because the copies
 * contain passwords.
 */
export function backupFiles(files: Files, directory: string) {
  const pathOf = (name: string) => `${directory}/${name}`
  return {
    list: () => files.list(directory),
    read: (name: string) => files.read(pathOf(name)),
    sizeBytes: async (name: string) => (await files.facts(pathOf(name)))?.sizeBytes,
    write: async (name: string, text: string) => {
      await files.makeDirectory(directory, { mode: 0o700 })
      await files.write(pathOf(name), text, { rights: { mode: 0o600 } })
    },
    remove: (name: string) => files.remove(pathOf(name)),
  }
}
